"""The process that a script is recorded in."""

from __future__ import annotations

import builtins
import functools
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

from loopcheck.record.measure import Measure
from loopcheck.record.recorder import Recorder
from loopcheck.record.run import Run
from loopcheck.record.watch import Watch


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
        _keep_groups()
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


def _keep_groups() -> None:
    """Keep each process group until the process ends. One that is destroyed right after its last collective call joins a thread
    that may wait for the interpreter meanwhile, torch 2.13: neither comes to an end."""
    if not torch.distributed.is_available():
        return
    from torch.distributed import distributed_c10d

    make = distributed_c10d._new_process_group_helper

    @functools.wraps(make)
    def keeping(*args: Any, **options: Any) -> Any:
        made = make(*args, **options)
        _GROUPS.append(made)
        return made

    distributed_c10d._new_process_group_helper = keeping


_GROUPS: list[object] = []


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
