"""What is counted, by the structure of its term: `(i + 1) % k == 0` as a counter, a divisor and a remainder."""

from __future__ import annotations

from collections import Counter

from loopcheck.read.domain.terms import Term, constant
from loopcheck.words import EPOCHS, LOADER, MICRO, OF_COUNTS, PROCESSES, STEPPING, UPDATES, words

PROBE = 0.8660254037844386
"""What stands for a number that is not known, to see what comes out of it."""


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


def shifted(counter: Term, by: int) -> Term:
    """A count to which a number is added: `i` and 1 make `i + 1`."""
    sign, added = ("+", by) if by > 0 else ("-", -by)
    return Term(sign, counter, Term("constant", constant(added))) if by else counter


def from_zero(term: Term) -> tuple[Term | None, int]:
    """What `offset` says of a count, and of a number that it is added to none."""
    known = number(term)
    return offset(term) if known is None else (None, known)


def number(term: Term) -> int | None:
    """The whole number that a term is; one of hundreds of digits is none to count with."""
    match term.operands:
        case (("int", str(text)),) if term.head == "constant" and not text.startswith("…"):
            return int(text)
        case _:
            return None


def unit(term: Term) -> str | None:
    """What a number counts, by what it is computed of: `epochs`, `batches`, `steps`, or `iterations`, one of the last two.

    `epochs * len(loader)` counts batches, as many to a pass as there are, and divided by the batches of a window it counts steps.
    What is only called steps, `updates`, may be anything where a program has its own loop, until it is multiplied by the batches
    of a window: `max_steps * accumulation_steps`.
    """
    counted = _dimension(term)
    if counted and counted["updates"]:
        return _UPDATES.get(frozenset(_told(counted).items()))
    if counted is None or any(counted[name] < 0 for name in ("batches", "steps")):
        return None
    batches = "iterations" if counted["shares"] else "batches"
    units = {"batches": batches, "steps": "steps", "epochs": "epochs"}
    found = [called for name, called in units.items() if counted[name] == 1]
    return found[0] if found and counted["batches"] + counted["steps"] < 2 and counted["epochs"] < 2 else None


_UPDATES = {frozenset({("updates", 1)}): "updates", frozenset({("updates", 1), ("batches", 1), ("steps", -1)}): "batches"}


def of_batches(term: Term) -> bool:
    """Whether a number is that of the batches of a loader, `len(loader)`."""
    return term.head == "call" and _dimension(term) == Counter(batches=1, epochs=-1)


def _dimension(term: Term) -> Counter[str] | None:
    """What is counted, to the power that it has there; None where that cannot be told. shares: divisions by numbers. updates:
    what is called steps."""
    match term.head, term.operands:
        case (("/" | "//"), (Term(head="call", operands=("builtins.len", _)), Term() as right)) if _is_batch_size(right):
            return Counter(batches=1, epochs=-1)
        case ("*" | "/" | "//") as sign, (Term() as left, Term() as right):
            one, other = _dimension(left), _dimension(right)
            if one is None or other is None:
                return None
            if sign != "*":
                shares = one["shares"] + other["shares"] + (number(right) is not None)
                one.subtract(other)
                one["shares"] = shares
                return one
            one.update(other)
            one["shares"] += any(each.head == "constant" and number(each) is None for each in (left, right))
            return one
        case (("+" | "-"), (Term() as left, Term() as right)):
            return _alike([left, right])
        case "call", (str(name), Term(head="items", operands=(Term() as given, *others))):
            if name == "builtins.len":
                return Counter(batches=1, epochs=-1) if _is_loader(given) else None
            return _alike([given, *others]) if name in _ROUNDS else None  # type: ignore[list-item]
        case "choice", (_, Term() as then, Term() as other):
            return _alike([then, other])
    return Counter() if _is_number(term) else _named(_called(term))


def _is_batch_size(term: Term) -> bool:
    """What is called the size of a batch: by that a number of samples is divided to count batches."""
    return {"batch", "size"} <= words(_called(term))


def _is_loader(term: Term) -> bool:
    """What is known to be a loader, or is called like one; either of two."""
    match term.head, term.operands:
        case "choice", (_, Term() as then, Term() as other):
            return _is_loader(then) and _is_loader(other)
        case "object", (_, _, "loader"):
            return True
    return bool(words(_called(term)) & LOADER)


def _is_number(term: Term) -> bool:
    """A number that is written: whatever counts, a share of it counts the same."""
    match term.head, term.operands:
        case "constant", (("int" | "float", _),):
            return True
        case _:
            return False


_ROUNDS = {
    "builtins.int",
    "builtins.round",
    "builtins.float",
    "builtins.max",
    "math.ceil",
    "math.floor",
    "numpy.ceil",
    "numpy.floor",
}


def _alike(terms: list[Term]) -> Counter[str] | None:
    """What all of these count, where some may be mere numbers. What is called steps is that where another is known to be."""
    found = [_dimension(each) for each in terms]
    told = [each for each in found if each]
    if any(_told(each) in ({"steps": 1}, {"batches": 1}) for each in told):
        told = [each for each in told if _told(each) != {"updates": 1}]
    if None in found or not told:
        return None if None in found else Counter()
    widest = max(told, key=lambda each: each["shares"])
    return widest if all(_told(each) == _told(widest) for each in told) else None


def _told(counted: Counter[str]) -> dict[str, int]:
    return {name: power for name, power in counted.items() if power and name != "shares"}


def _called(term: Term) -> str:
    """The last name of a term: `epochs` of `parse_args().epochs` and of `config["epochs"]`."""
    match term.head, term.operands:
        case "attribute", (_, str(name)):
            return name
        case "object", (_, str(name), _):
            return name
        case "item", (_, Term(head="constant", operands=((_, str(key)),))) | (_, (_, str(key))):
            return key
        case _:
            return term.name.rpartition(".")[2]


def _named(name: str) -> Counter[str] | None:
    said = words(name)
    if said & EPOCHS and said <= EPOCHS | OF_COUNTS:
        return Counter(epochs=1)
    if said & MICRO:
        return Counter(batches=1, steps=-1)
    if said >= STEPPING:
        return Counter(steps=1)
    if said & PROCESSES and said <= PROCESSES | OF_COUNTS | {"size"}:
        return Counter()  # of which each counts its own
    return Counter(updates=1) if said & UPDATES and said <= UPDATES | OF_COUNTS else None


def of_name(name: str) -> str | None:
    """What a number counts, by what it is called."""
    return "epochs" if _named(name.rpartition(".")[2]) == Counter(epochs=1) else None


def of_window(name: str) -> bool:
    """Whether a number is that of the batches of a window, by what it is called."""
    return _named(name.rpartition(".")[2]) == Counter(batches=1, steps=-1)
