"""Repairs planned from events that stand for a reader's, so that `write` is tested alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent

import libcst as cst
import pytest

from loopcheck import step
from loopcheck.finding import Repair
from loopcheck.fix import Edit
from loopcheck.loop import Event, Role
from loopcheck.read.front import ir
from loopcheck.read.front.source import Site, Source
from loopcheck.rule import Rule, Witness
from loopcheck.write.apply import edited
from loopcheck.write.plan import plan
from loopcheck.write.statements import NoPlan

PRELUDE = """\
from x import clip_grad_norm_, torch, watch
total = k = fine = limit = loss = model = optimizer = scaler = scheduler = loader = norms = norm = 0
"""

MODEL = Role("model", "model")
OPTIMIZER = Role("optimizer", "optimizer", (MODEL,))
SCHEDULER = Role("scheduler", "scheduler", (OPTIMIZER,))
SCALER = Role("scaler", "scaler")
SAMPLER = Role("sampler", "sampler")
LOADER = Role("loader", "loader", (SAMPLER,))
SPELLED = {role: role.name for role in (MODEL, OPTIMIZER, SCHEDULER, SCALER, SAMPLER, LOADER)}

EVENTS = (
    ("step", r"optimizer\.step", (OPTIMIZER,)),
    ("step", r"scaler\.step", (OPTIMIZER, SCALER)),
    ("schedule", r"scheduler\.step", (SCHEDULER,)),
    ("backward", r".*\bbackward", (OPTIMIZER, MODEL)),
    ("clip", r".*\bclip_grad_norm_", (MODEL,)),
    ("zero_grad", r".*\bzero_grad", (OPTIMIZER,)),
    ("forward", r"model|self\.model", (MODEL,)),
    ("build", r"(torch\.optim\.)?Adam|DataLoader", (OPTIMIZER,)),
)
NAMES = {"loss": "loss", "window": "k", "epoch": "epoch"}


def everything(block: ir.Block) -> Iterator[ir.Node]:
    """Every piece of code, that of functions among it."""
    for node in ir.walk(*block):
        yield node
        if isinstance(node, (ir.Define, ir.Lambda)):
            yield from everything(node.code.body)


def events(source: Source) -> tuple[Event, ...]:
    """What a reader would find: each call that is named like an event, and each loop over the loader."""
    found = []
    for node in sorted(everything(source.body), key=lambda node: (node.span[:2], [-end for end in node.span[2:]])):
        verbs = []
        if isinstance(node, ir.Call):
            verbs = [
                (verb, on) for verb, callee, on in EVENTS if re.fullmatch(callee, " ".join(source.code(node.function).split()))
            ]
        elif isinstance(node, ir.For) and "loader" in source.code(node.iterable):
            verbs = [("iterate", (LOADER,))]
        found += [Event(verb, on, Site(source, node), {"validating": True}, NAMES, spelled=SPELLED) for verb, on in verbs]
    return tuple(found)


def planned(fix: Edit, data: bytes) -> Repair | None:
    """The repair of a rule with this fix, whose witness is the first event of each verb in the source."""
    try:
        return _plan(fix, data)
    except NoPlan:
        return None


def refused(fix: Edit, before: str) -> str:
    """Why there is no such repair."""
    with pytest.raises(NoPlan) as reason:
        _plan(fix, dedent(before).encode())
    return str(reason.value)


def _plan(fix: Edit, data: bytes) -> Repair:
    found = events(Source.parse("train.py", data))
    first = {event.verb: event for event in reversed(found)}
    rule = Rule(code="LC000", bug=step, says="", fix=fix)
    return plan(rule, Witness(tuple(each for each in found if each is first[each.verb]), found[-1].on[0]))


def repaired(fix: Edit, before: str) -> tuple[str, str]:
    """The source after the repair, and its applicability; the source as it is, and `none`."""
    data = dedent(before).encode()
    repair = planned(fix, data)
    if repair is None:
        return data.decode(), "none"
    after = edited(data, repair.edits)
    cst.parse_module(after)
    return after.decode(), repair.applicability
