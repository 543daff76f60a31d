"""Hugging Face diffusers: pipelines, which have a `no_grad` of their own, and noise schedulers, which set no learning rate."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.vocabulary import Builds, Row, Same, plain
from loopcheck.read.vocabulary.transformers import schedule_of

_SCHEDULES = [
    "get_constant_schedule", "get_constant_schedule_with_warmup", "get_cosine_schedule_with_warmup",
    "get_cosine_with_hard_restarts_schedule_with_warmup", "get_linear_schedule_with_warmup",
    "get_polynomial_decay_schedule_with_warmup",
]  # fmt: skip

FUNCTIONS: Mapping[str, Row] = {
    **{f"diffusers.optimization.{name}": schedule_of(0) for name in _SCHEDULES},
    "diffusers.optimization.get_scheduler": schedule_of(1, told=3),
    "diffusers.optimization.TYPE_TO_SCHEDULER_FUNCTION.*": schedule_of(0),
}
FAMILIES: list[tuple[str, Row]] = [
    (r"diffusers\.(\w+\.)*\w*Pipeline\w*$", Builds("pipeline")),
    (r"(\w*\.)*\w*Pipeline\w*\.from_\w+$", Builds("pipeline")),
    (r"diffusers\.(\w+\.)*\w*Scheduler(\.from_\w+)?$", Builds("noise scheduler")),
]
METHODS: Mapping[tuple[str, str], Row] = {
    ("pipeline", "__call__"): plain,
    ("pipeline", "to"): Same(),
    ("noise scheduler", "step"): plain,
}
