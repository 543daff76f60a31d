"""The process that a script is recorded in."""

from __future__ import annotations

import builtins
import os
import pickle
import random
import sys
import traceback
import types
import warnings
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, TextIO

import torch

from loopcheck.loop import Event
from loopcheck.record import later
from loopcheck.record.cast import Cast
from loopcheck.record.checkpoints import Checkpoints
from loopcheck.record.criteria import Criteria
from loopcheck.record.data import Data
from loopcheck.record.dropping import Dropping
from loopcheck.record.frameworks import Frameworks
from loopcheck.record.gradients import Gradients
from loopcheck.record.ledger import Ledger
from loopcheck.record.measure import Measure
from loopcheck.record.modules import Modules
from loopcheck.record.optimizers import Optimizers
from loopcheck.record.retaining import Retaining
from loopcheck.record.run import Run
from loopcheck.record.scalers import Scalers
from loopcheck.record.schedules import Schedules
from loopcheck.record.shards import Shards
from loopcheck.record.site import Sites
from loopcheck.record.tape import Tape
from loopcheck.record.watch import Watch
from loopcheck.states import tell_lacking, tie_states


class Recorder:
    """All hooks together. They stay in place until the process ends."""

    def __init__(self, home: str, watch: Watch) -> None:
        sites = Sites(home)
        self._tape = Tape(sites)
        self._cast = Cast(sites)
        ledger = Ledger(self._tape, self._cast)
        self._modules = Modules(self._tape, self._cast, watch)
        self._gradients = Gradients(self._tape, self._cast, ledger, self._modules, watch)
        self._data = Data(self._tape, self._cast, watch)
        self._modules.install()
        self._gradients.install()
        self._data.install()
        Criteria(self._tape, self._modules).install()
        Dropping(self._tape, sites).install()
        Checkpoints(self._tape, self._cast, self._modules, watch).install()
        Retaining(self._tape, sites, self._modules).install()
        Shards(self._tape, self._modules, watch).install()
        Optimizers(self._tape, self._cast, ledger, self._modules, watch).install()
        Schedules(self._tape, self._cast, ledger, watch).install()
        Scalers(self._tape, self._cast, ledger, self._gradients).install()
        Frameworks(self._tape, self._cast).install()

    def events(self) -> list[Event]:
        """The whole run's events, their objects tied together and their facts complete."""
        self._cast.settle()
        self._gradients.settle()
        seen = [moment.event for moment in self._tape.moments]
        tie_states(seen)
        tell_lacking(seen)
        later.settle(self._tape.moments, self._data.passes, self._data.over, self._data.told, self._modules.learned)
        return [moment.event for moment in self._tape.moments]


def main(arguments: list[str]) -> int:
    """`[--measure] RESULT SCRIPT [ARGUMENT ...]`: run the script as python would, and write its Run to RESULT."""
    measuring = arguments[0] == "--measure"
    result, script, *args = arguments[measuring:]
    home = str(Path(script).resolve().parent)
    sys.argv = [script, *args]
    sys.path.insert(0, home)
    run = Run()
    watch = Measure(run) if measuring else Watch()
    recorder = Recorder(home, watch)
    if measuring:
        _seed()
        _overhear(run.warnings)
    pid = os.getpid()
    code = _execute(script, run)
    if os.getpid() != pid:
        return code  # a forked child of the script's that came all the way out
    run.trace = recorder.events()
    if isinstance(watch, Measure):
        watch.finish()
    Path(result).write_bytes(pickle.dumps(run))
    return code


def _execute(script: str, run: Run) -> int:
    """Run the script's text as the module `__main__`; the exit code that python would end with."""
    module = types.ModuleType("__main__")
    loader = SourceFileLoader("__main__", script)
    vars(module).update(__file__=script, __cached__=None, __loader__=loader, __builtins__=builtins, __annotations__={})
    sys.modules["__main__"] = module
    try:
        exec(compile(Path(script).read_bytes(), script, "exec"), vars(module))
    except SystemExit as stop:
        if stop.code is not None and not isinstance(stop.code, int):
            print(stop.code, file=sys.stderr)
            return 1
        return stop.code or 0
    except BaseException as error:
        run.raised = f"{type(error).__name__}: {error}"
        _complain(error)
        return 1
    return 0


def _complain(error: BaseException) -> None:
    """The traceback as python shows it, without the recorder's own frames."""
    told = traceback.TracebackException.from_exception(error)
    package = str(Path(__file__).parent)
    told.stack = traceback.StackSummary.from_list(
        [frame for frame in told.stack if not frame.filename.startswith((package, "<loopcheck"))]
    )
    print("".join(told.format()), end="", file=sys.stderr)


def _seed() -> None:
    random.seed(0)
    torch.manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)


def _overhear(said: list[str]) -> None:
    """Keep the text of every warning that is shown."""
    show: Any = warnings.showwarning

    def showwarning(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        said.append(str(message))
        show(message, category, filename, lineno, file, line)

    warnings.showwarning = showwarning
