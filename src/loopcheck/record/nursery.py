"""The process from which recorders are forked, so that torch is loaded once for many scripts."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time

from loopcheck.record.child import main


def serve() -> int:
    """Take one job per line, fork for it, and answer with its exit code, until there are no more.

    A job is `[stdout, stderr, timeout, *arguments of main]`.
    """
    importlib.import_module("torch._dynamo")  # the first optimizer loads it, and it is slow
    for line in sys.stdin:
        said, errors, timeout, *arguments = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _redirect(said, errors)
            return main(arguments)
        print(_await(pid, timeout), flush=True)
    return 0


def _redirect(said: str, errors: str) -> None:
    for path, mode, target in ((os.devnull, os.O_RDONLY, 0), (said, os.O_WRONLY, 1), (errors, os.O_WRONLY, 2)):
        handle = os.open(path, mode | os.O_CREAT)
        os.dup2(handle, target)
        os.close(handle)


def _await(pid: int, timeout: float) -> int:
    deadline = time.monotonic() + timeout
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            deadline = float("inf")
        time.sleep(0.002)
