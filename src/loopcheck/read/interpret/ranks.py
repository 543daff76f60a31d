"""Which of several processes come to a place: all of them, or those that tests, decorators and names around it let through."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from loopcheck.loop import Test
from loopcheck.read.domain.conditions import And, Condition, key_of
from loopcheck.read.domain.counts import number
from loopcheck.read.domain.parts import names_of, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Api, Const, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import DEVICES, DISTRIBUTED, HARMLESS_FLAGS, is_rank, words

_LAUNCHER = frozenset({"WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE"})
"""What torchrun, and what else starts one program several times, says to each process by its environment."""
_OF_ITS_OWN = frozenset({"os.getpid", "tempfile.TemporaryDirectory", "uuid.uuid1", "uuid.uuid4"})
"""Calls that come to another name in each process."""
_ALONE = {("==", 1), ("<=", 1), ("<", 2)}
_FLAGS = frozenset({"attribute", "name", "formal", "item", "call", "part"})


def launched(m: Machine) -> bool:
    """Whether the program asks its environment which of several processes it is, or how many they are: it may be one of them."""
    return any(_asks_launcher(part) for term in (*m.state.symbols, *m.state.conditions) for part in term.parts())


def _asks_launcher(term: Term) -> bool:
    """`os.environ["RANK"]`, `os.environ.get("RANK", 0)`, `"RANK" in os.environ`."""
    match term.head, term.operands:
        case "item", (Term(head="api", operands=("os.environ",)), Term() as key):
            return _says(key)
        case "in", (Term() as key, Term(head="api", operands=("os.environ",))):
            return _says(key)
        case "call", ("os.environ.get" | "os.getenv", Term(operands=(Term() as key, *_))):
            return _says(key)
        case _:
            return False


_LAUNCHED = Term("in", term_of(Const("RANK")), term_of(Api("os.environ")))


def launcher_asked(left: Value, op: str, right: Value) -> tuple[Term, bool] | None:
    """A test that asks whether a launcher has started this process, and its outcome where one has; None of another one.

    A launcher says all that it says or nothing: `int(os.getenv("LOCAL_RANK", -1)) == -1` holds where `"RANK" in os.environ` does
    not.
    """
    match op, term_of(left), right:
        case "in", key, Api("os.environ") if _says(key):
            return _LAUNCHED, True
        case "==", Term(head="call", operands=("builtins.int", Term(operands=(Term() as asked,)))), Const(int(default)):
            unsaid = default < 0 and _asks_launcher(asked) and _default_of(asked) in _written(default)
            return (_LAUNCHED, False) if unsaid else None
        case _:
            return None


def _default_of(asked: Term) -> object:
    """What `os.getenv(name, default)` is where nothing is said."""
    match asked.operands:
        case str(), Term(operands=(_, default)):
            return default
        case _:
            return None


def _written(default: int) -> list[Term]:
    """A number, as it is or as text."""
    return [term_of(Const(default)), term_of(Const(str(default)))]


def _says(key: Term) -> bool:
    return key.head == "constant" and any(_said(each).strip("\"'") in _LAUNCHER for each in key.operands)


def every_rank(m: Machine, path: Value | None, together: Collection[object] = ()) -> bool | None:
    """Whether all ranks come here, to write one file; None where a flag may decide that, or the file is not known.

    path: where the file is. together: functions that all ranks are in, as `functions` tells them: what these are given is known
    to be one for all.
    """
    decorators = (mark for each in m.active for mark in each.code.decorators)
    if any(is_rank(each.name) for mark in decorators for each in ir.walk(mark) if isinstance(each, (ir.Name, ir.Attribute))):
        return False
    if any(_speaks(m, term) or _of_first_device(term) for term in _tested(m)):
        return False
    if path is None or _is_own(m, path):
        return False
    if any(_of_one_process(m, term) is holds for term, holds in m.state.assumed.items()):
        return None
    if any(isinstance(value, Const) and is_rank(name) for name, value in m.state.heap.of(m.state.frame).items()):
        return None  # `train(0, args)`: what is called with a literal is the one process that there is
    file = term_of(path)
    unknown = file.head in ("formal", "new") and file.operands[0] not in together
    told = {*file.parts(), *names_of(path)}  # the folder that was given, if one was
    flags = (term for term, holds in m.state.assumed.items() if holds and term.head in _FLAGS and term not in told)
    return None if unknown or any(_said_of(term).isdisjoint(HARMLESS_FLAGS) for term in flags) else True


def functions(m: Machine) -> frozenset[object]:
    """The functions that are being interpreted, by what their parameters are told by."""
    return frozenset(id(each.code) for each in m.active)


def _of_one_process(m: Machine, term: Term) -> bool | None:
    """Whether a test holds in a program of one process: `world_size == 1` does, and `distributed` does not; None of others."""
    if not _words_of(m, term) & DISTRIBUTED or _spares_others(m, term):
        return None
    match term.operands:
        case (Term(), Term() as size) if (term.head, number(size)) in _ALONE:
            return True
        case _:
            return False


def _is_own(m: Machine, path: Value) -> bool:
    """Whether each process has a file of its own there."""
    file = term_of(path)
    return any(_speaks(m, term) for term in (file, *names_of(path))) or any(part.origin in _OF_ITS_OWN for part in file.parts())


def _tested(m: Machine) -> Iterator[Term]:
    """All that the path condition is about. `if rank == 0 and path is None: exit()` lets every rank through."""
    for key in m.state.assumed:
        condition = m.state.conditions.get(key)
        if not isinstance(condition, And):
            yield key
        elif not _spares_others(m, key):
            yield from (each for each in condition.tests if isinstance(each, Term))


def _spares_others(m: Machine, key: Term) -> bool:
    """Whether what does not hold says no more than that the first rank was stopped, under a second test."""
    condition = m.state.conditions.get(key)
    if m.state.assumed[key] or not isinstance(condition, And):
        return False
    return not any(_restricts(m, part) for part in (condition.left, condition.right))


def _restricts(m: Machine, part: Condition) -> bool:
    """Whether a part of a condition is about ranks, and is not true of the first alone."""
    key = part if isinstance(part, bool) else key_of(part)
    first = isinstance(part, Test) and isinstance(key, Term) and _is_first(key)
    return isinstance(key, Term) and _speaks(m, key) and not first


def _is_first(term: Term) -> bool:
    """`rank == 0`."""
    return term.head == "==" and isinstance(term.operands[1], Term) and number(term.operands[1]) == 0


def _of_first_device(term: Term) -> bool:
    """`gpu == 0`: a process has a device, and the number of that says which process it is."""
    match term.head, term.operands:
        case "==", (Term() as device, Term() as which):
            return number(which) == 0 and not words(device.text).isdisjoint(DEVICES)
        case _:
            return False


def _speaks(m: Machine, term: Term) -> bool:
    """Whether a rank is spoken of anywhere in a value, or by what the parts of it were called."""
    return any(map(is_rank, _names(m, term)))


def _words_of(m: Machine, term: Term) -> frozenset[str]:
    """The words of all names in a value: `bool(args.parallel)` is shown without what is inside."""
    return words(term.text).union(*map(words, _names(m, term)))


def _said_of(flag: Term) -> frozenset[str]:
    """The words of a flag; of an entry of options, those of its own name: `TrainingArguments(…).overwrite` is no `training`."""
    match flag.head, flag.operands:
        case "attribute", (Term(head="call"), str(name)):
            return words(name)
        case _:
            return words(flag.text)


def _names(m: Machine, term: Term) -> Iterator[str]:
    """The names that a value is made of, and those that its parts were given."""
    for each in term.parts():
        if (symbol := m.state.symbols.get(each)) is not None:
            yield symbol.label
        yield from map(_said, each.operands)


def _said(operand: object) -> str:
    match operand:
        case str(name):
            return "" if name.endswith((".py", ".ipynb")) else name  # where it stands says nothing of what it is
        case (str(), str(literal)):
            return literal
        case _:
            return ""
