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
    """Take one job per line, fork for each of its processes, and answer with their exit codes, until there are no more.

    A job is `[timeout, process, ...]`, a process `[stdout, stderr, environment, *arguments of main]`.
    """
    importlib.import_module("torch._dynamo")  # the first optimizer loads it, and it is slow
    for line in sys.stdin:
        timeout, *processes = json.loads(line)
        pids = []
        for said, errors, environment, *arguments in processes:
            pid = os.fork()
            if pid == 0:
                _redirect(said, errors)
                os.environ.update(environment)
                return main(arguments)
            pids.append(pid)
        print(json.dumps(_await(pids, timeout)), flush=True)
    return 0


def _redirect(said: str, errors: str) -> None:
    for path, mode, target in ((os.devnull, os.O_RDONLY, 0), (said, os.O_WRONLY, 1), (errors, os.O_WRONLY, 2)):
        handle = os.open(path, mode | os.O_CREAT)
        os.dup2(handle, target)
        os.close(handle)


def _await(pids: list[int], timeout: float) -> list[int]:
    """The exit codes of all. One that dies leaves the others waiting for it; they get a moment, then no more."""
    deadline = time.monotonic() + timeout
    codes: dict[int, int] = {}
    while len(codes) < len(pids):
        for pid in [each for each in pids if each not in codes]:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                codes[pid] = os.waitstatus_to_exitcode(status)
        if any(codes.values()):
            deadline = min(deadline, time.monotonic() + 10)
        if time.monotonic() > deadline:
            for pid in [each for each in pids if each not in codes]:
                os.kill(pid, signal.SIGKILL)
            deadline = float("inf")
        time.sleep(0.002)
    return [codes[pid] for pid in pids]
