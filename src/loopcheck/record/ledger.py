"""What the gradients of each optimizer looked like when last seen, so that changes made by hand are noticed too."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import TypeAlias

from torch import Tensor
from torch.optim import Optimizer

from loopcheck.loop import Fact, Role
from loopcheck.record.cast import Cast, bare, parameters
from loopcheck.record.site import NOWHERE
from loopcheck.record.tape import Tape

Mark: TypeAlias = tuple[int, int]
"""A gradient's identity and version; NONE where there is none."""

NONE: Mark = (0, 0)


class Account:
    """One optimizer's gradients.

    pending: the facts of the backward calls that have added to them since they were last cleared or stepped.
    used: a step has read them since they were last cleared. stepped: one has ever.
    at: where it steps, or has stepped last. steps: how many it has taken itself.
    """

    def __init__(self, optimizer: Optimizer, role: Role) -> None:
        self._optimizer = weakref.ref(optimizer)
        self.role = role
        self.pending: list[dict[str, Fact]] = []
        self.used = False
        self.stepped = False
        self.at = NOWHERE
        self.steps = 0
        self.marks = self._look()

    @property
    def optimizer(self) -> Optimizer | None:
        return self._optimizer()

    @property
    def parameters(self) -> list[Tensor]:
        optimizer = self._optimizer()
        return parameters(optimizer) if optimizer else []

    def grown(self) -> list[Tensor]:
        """The parameters whose gradient has changed since it was last seen; now all are seen."""
        now = self._look()
        was = self.marks + [NONE] * (len(now) - len(self.marks))
        self.marks = now
        return [each for each, before, after in zip(self.parameters, was, now, strict=False) if before != after]

    def mark(self) -> None:
        """Take the gradients as they are now for seen."""
        self.marks = self._look()

    def clear(self) -> None:
        self.pending.clear()
        self.used = False
        self.mark()

    def doubt(self) -> None:
        """They were edited: whether what has gathered is an average is not known any more."""
        for facts in self.pending:
            facts.pop("averaged", None)

    def step(self) -> None:
        """They have been read; what the step itself made of them first counts as an edit."""
        if self.grown():
            self.doubt()
        self.pending.clear()
        self.used = self.stepped = True
        self.mark()

    def empty(self) -> bool:
        """There is no gradient, or only zeros."""
        return all(mark == NONE for mark in self.marks) or not any(
            each.grad is not None and bool(each.grad.any()) for each in self.parameters
        )

    def _look(self) -> list[Mark]:
        return [NONE if each.grad is None else (id(each.grad), each.grad._version) for each in self.parameters]


class Ledger:
    """The accounts of all optimizers that live."""

    def __init__(self, tape: Tape, cast: Cast) -> None:
        self._tape = tape
        self._cast = cast
        self._accounts: dict[Role, Account] = {}

    def open(self, optimizer: Optimizer) -> Account:
        role = self._cast.optimizer(optimizer)
        if role not in self._accounts:
            self._accounts[role] = Account(bare(optimizer), role)
        return self._accounts[role]

    def accounts(self) -> list[Account]:
        self._accounts = {role: account for role, account in self._accounts.items() if account.optimizer is not None}
        return list(self._accounts.values())

    def audit(self) -> None:
        """Notice what the program did to gradients by no call that can be seen, as in `p.grad = None`.

        Gradients that are gone or zero count as cleared. Others were edited: whether their sum is an average is not known.
        """
        for account in self.accounts():
            changed = bool(account.grown())
            if (changed or account.used) and account.empty():
                self._tape.emit_at(replace(self._tape.sites.here(), text="grad = None"), "zero_grad", account.role)
                account.clear()
            elif changed:
                self._tape.emit_at(replace(self._tape.sites.here(), text="grad = …"), "edit", account.role)
                account.doubt()
