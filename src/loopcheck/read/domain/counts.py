"""What is counted, by the structure of its term: `(i + 1) % k == 0` as a counter, a divisor and a remainder."""

from __future__ import annotations

from loopcheck.read.domain.terms import Term


def remainder(term: Term) -> tuple[Term, Term, Term] | None:
    """Counter, divisor and remainder of `counter % divisor == remainder`."""
    match term.head, term.operands:
        case "==", (Term(head="%", operands=(Term() as counter, Term() as divisor)), Term() as rest):
            return counter, divisor, rest
        case _:
            return None


def offset(counter: Term) -> tuple[Term, int]:
    """A count as what it is counted from, and the number that is added: `i` and 1 of `i + 1`."""
    match counter.head, counter.operands:
        case ("+" | "-") as sign, (Term() as inner, Term() as added) if (by := number(added)) is not None:
            base, before = offset(inner)
            return base, before + by if sign == "+" else before - by
        case _:
            return counter, 0


def number(term: Term) -> int | None:
    """The whole number that a term is; one of hundreds of digits is none to count with."""
    match term.operands:
        case (("int", str(text)),) if term.head == "constant" and not text.startswith("…"):
            return int(text)
        case _:
            return None
