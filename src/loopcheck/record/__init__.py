"""Running a training script and writing down what happens in it, in the words that rules are written in.

`record` runs a script, unchanged, in a process of its own and gives its events; `judge` applies rules to them. Torch is
needed in that process only.
"""

from __future__ import annotations

from loopcheck.record.launch import Nursery, RecordError, record
from loopcheck.record.run import Backward, Clip, Forward, Run, Schedule, Step
from loopcheck.record.site import Site
from loopcheck.record.verdicts import judge

__all__ = ["Backward", "Clip", "Forward", "Nursery", "RecordError", "Run", "Schedule", "Site", "Step", "judge", "record"]
