"""Hugging Face transformers: its optimizers, its schedules, which are torch's LambdaLR, and its models' own methods."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.vocabulary import Builds, Row, plain
from loopcheck.read.vocabulary.optimizers import optimizer
from loopcheck.read.vocabulary.torch import scheduler_keeps

_PACKAGES = ["transformers", "transformers.optimization", "pytorch_transformers", "pytorch_pretrained_bert.optimization"]
_SCHEDULES = [
    "ConstantLRSchedule", "WarmupConstantSchedule", "WarmupCosineSchedule", "WarmupCosineWithHardRestartsSchedule",
    "WarmupLinearSchedule", "get_constant_schedule", "get_constant_schedule_with_warmup", "get_cosine_schedule_with_warmup",
    "get_cosine_with_hard_restarts_schedule_with_warmup", "get_inverse_sqrt_schedule", "get_linear_schedule_with_warmup",
    "get_polynomial_decay_schedule_with_warmup", "get_wsd_schedule",
]  # fmt: skip

FUNCTIONS: Mapping[str, Row] = {
    **{f"{package}.{name}": optimizer for package in _PACKAGES for name in ("AdamW", "Adafactor")},
    **{
        f"{package}.{name}": Builds("scheduler", ((0, "optimizer"),), keeps=scheduler_keeps)
        for package in _PACKAGES
        for name in _SCHEDULES
    },
    "transformers.get_scheduler": Builds("scheduler", ((1, "optimizer"),), keeps=scheduler_keeps),
    "transformers.optimization.get_scheduler": Builds("scheduler", ((1, "optimizer"),), keeps=scheduler_keeps),
}

_OF_MODELS = [
    "generate",  # under a no_grad of its own
    "get_input_embeddings", "gradient_checkpointing_disable", "gradient_checkpointing_enable", "num_parameters",
    "print_trainable_parameters", "push_to_hub", "resize_token_embeddings", "save_pretrained", "tie_weights",
]  # fmt: skip

METHODS: Mapping[tuple[str, str], Row] = {("model", name): plain for name in _OF_MODELS}
