"""Python's threads: what derives from one says in `run` what it does, and is told to start."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.vocabulary import Python, Row

CODE = """
import _thread


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, daemon=None):
        _thread.start_new_thread(target, args, kwargs)

    def run(self):
        pass

    def start(self):
        _thread.start_new_thread(self.run, ())
"""
FUNCTIONS: Mapping[str, Row] = {"threading.Thread": Python(CODE, "Thread")}
