"""Whether the numbers of a network are finite, which programs ask before they use them.

A run is judged where they are. On the way where a loss is no number nothing can be saved, and what is left undone there, a
step that is skipped, is no order of training.
"""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.read.domain.parts import source_of, tensor_in, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import DETACHED, Const, Tensor, Value

NORM = Term("norm")
"""The norm of gradients, which clipping them returns."""
_FINITE, _BROKEN = Term("finite"), Term("broken")


def asked(of: Value, finite: bool) -> Tensor | None:
    """Whether what a network has computed is finite, or whether it is not; None of what it has not computed."""
    tensor = tensor_in(of)
    computed = term_of(of).head == DETACHED or (tensor is not None and (tensor.models or tensor.term == NORM))
    return Tensor(_FINITE if finite else _BROKEN) if computed else None


def outcome(value: Value) -> bool | None:
    """The answer as long as training is in good health; None of what asks something else, or was computed of one."""
    term = source_of(value.term) if isinstance(value, Tensor) else None
    return True if term is _FINITE else False if term is _BROKEN else None


def loses(tensor: Tensor, others: Iterable[Value]) -> bool:
    """Whether an answer is none any more once it is computed with others, `torch.where(torch.isnan(loss), x, y)`."""
    return outcome(tensor) is not None and sum(not isinstance(other, Const) for other in others) > 1


def opposite(value: Value) -> Tensor | None:
    """The answer to the contrary, `~torch.isfinite(loss)`; None where nothing of the kind is asked."""
    answer = outcome(value)
    return None if answer is None else Tensor(_BROKEN if answer else _FINITE)


def both(op: str, left: Value, right: Value) -> Tensor | None:
    """One answer of two, `torch.isnan(loss) | torch.isinf(loss)`; None where one of them is none."""
    one, another = outcome(left), outcome(right)
    if one is None or another is None or op not in ("&", "|"):
        return None
    return Tensor(_FINITE if (one and another if op == "&" else one or another) else _BROKEN)
