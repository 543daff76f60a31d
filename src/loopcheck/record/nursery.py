"""The process from which recorders are forked, so that torch is loaded once for many scripts."""

from __future__ import annotations

import atexit
import importlib
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from typing import NoReturn

from loopcheck.record.child import main


def serve() -> int:
    """Take one job per line, fork its processes, and answer with their exit codes, until there are no more.

    A job is `[timeout, moment, process, ...]`, and a process `[stdout, stderr, environment, *arguments of main]`.
    """
    importlib.import_module("torch._dynamo")  # the first optimizer loads it, and it is slow
    for line in sys.stdin:
        timeout, moment, *processes = json.loads(line)
        children = []
        for said, errors, environment, *arguments in processes:
            pid = os.fork()
            if pid == 0:
                os.environ.update(environment)
                _redirect(said, errors)
                _leave(main(arguments))
            children.append(pid)
        print(json.dumps(_await(children, timeout, moment)), flush=True)
    return 0


def _redirect(said: str, errors: str) -> None:
    for path, mode, target in ((os.devnull, os.O_RDONLY, 0), (said, os.O_WRONLY, 1), (errors, os.O_WRONLY, 2)):
        handle = os.open(path, mode | os.O_CREAT)
        os.dup2(handle, target)
        os.close(handle)


def _leave(code: int) -> NoReturn:
    """End a forked process, without the end of the interpreter: threads of process groups may wait for one another in it."""
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _await(children: Sequence[int], timeout: float, moment: float) -> list[int]:
    """The exit codes of all. What has not ended in time is killed. moment: the seconds that others have when one has failed."""
    deadline = time.monotonic() + timeout
    codes: dict[int, int] = {}
    while len(codes) < len(children):
        for pid in (each for each in children if each not in codes):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                codes[pid] = os.waitstatus_to_exitcode(status)
                if codes[pid]:
                    deadline = min(deadline, time.monotonic() + moment)
        if time.monotonic() > deadline:
            for pid in children:
                if pid not in codes:
                    os.kill(pid, signal.SIGKILL)
            deadline = float("inf")
        time.sleep(0.002)
    return [codes[pid] for pid in children]
