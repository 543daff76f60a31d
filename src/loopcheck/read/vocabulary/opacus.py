"""Opacus: an optimizer that clips the gradient of each sample, and averages over all of a window when it steps.

`optimizer.virtual_step()` of each micro-batch but the last, then `optimizer.step()`: the mean is taken over the samples of the
window, whatever the loss was divided by (opacus.ai, "Deep dive into advanced features of Opacus").
"""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.domain.values import NONE, Grad, Items, Params, Value
from loopcheck.read.vocabulary import Builds, Call, Row, plain


def virtual_step(call: Call) -> Value:
    """What was computed of a micro-batch is clipped by sample and put aside."""
    optimizers = call.roles(call.me, "optimizer")
    models = frozenset(role for each in optimizers for role in each.made_from if role.kind == "model")
    call.edited(Grad(Params(models, open=True)))
    return NONE


def make_private(call: Call) -> Value:
    """Hands back the model, the optimizer and the loader."""
    return Items(tuple(call.get(at, name) or NONE for at, name in enumerate(("module", "optimizer", "data_loader"))))


FUNCTIONS: Mapping[str, Row] = {"opacus.PrivacyEngine": Builds("privacy_engine")}
METHODS: Mapping[tuple[str, str], Row] = {
    ("optimizer", "virtual_step"): virtual_step,
    ("privacy_engine", "attach"): plain,
    ("privacy_engine", "detach"): plain,
    ("privacy_engine", "make_private"): make_private,
    ("privacy_engine", "make_private_with_epsilon"): make_private,
}
PURE = {"opacus"}
