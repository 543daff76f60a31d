"""What a loop's passes tell of one another: variables that go on from the pass before (induction variables), and flags."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator

from loopcheck.loop import Either, Region, Seq, Test, Told, is_left, leaves, tests
from loopcheck.read.domain.counting import literal
from loopcheck.read.domain.counts import number, offset, remainder
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.parts import term_of
from loopcheck.read.domain.terms import LONGEST, Term
from loopcheck.read.domain.values import (
    NONE,
    Choice,
    Const,
    Symbol,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.source import Site
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.operators import outcome


def gone_through(m: Machine, turn: Pass) -> dict[Key, frozenset[Term]]:
    """Of each variable that one loop in the body alone binds, what it is there: where that begins again, it goes on."""
    state = m.state
    found: dict[Key, frozenset[Term]] = {}
    for inner in turn.inner:
        for key, begun in inner.variables.items():
            entered = state.entered.get(begun)
            begins = isinstance(entered, Symbol) and entered.term is turn.variables.get(key)
            if begins and turn.leaves[key] == inner.leaves[key]:
                terms = {begun, *inner.through.get(key, ())}
                for each in state.made[inner.first :]:
                    if state.before.get(each) in terms:
                        terms.add(each)
                found[key] = frozenset(terms)
    return found


def brought(m: Machine, turn: Pass, region: Region) -> Iterator[tuple[Term, Term]]:
    """What a pass says of the next one's tests by what it makes of a variable: a count that goes on, or begins again at a number.

    Where it begins again under a test, `if n == k: n = 0`, that alone says whether it is that number, and one more once counted.
    """
    keys = (test.key for test in tests(region)) if turn.variables else ()
    asked = {key for key in keys if isinstance(key, Term) and key.size < LONGEST}
    for variable, begun in turn.variables.items():
        match turn.leaves[variable]:
            case Symbol(term=counted) if _follows(m, counted, begun):
                pairs = [(each.replaced(begun, counted), each) for each in asked]
            case Choice(test, anew, Symbol(term=counted)) if _follows(m, counted, begun):
                start, key = literal(m.state, anew), test.key
                if start is None or not isinstance(key, Term):
                    continue
                pairs = [(key, Term("==", number, _number(value))) for number, value in ((begun, start), (counted, start + 1))]
                if start == 0 and (window := remainder(key)) and window[2] is _number(0):
                    pairs.append((key, key.replaced(counted, begun)))
            case _:
                continue
        yield from ((test, other) for test, other in pairs if test is not other and asked.issuperset((test, other)))


def refilled(m: Machine, turn: Pass) -> dict[tuple[Hashable, bool], str]:
    """The outcomes of tests with which a count of passes begins again at 0, `if n == k: n = 0`, each with what it has come to, as
    written: that many passes are a window."""
    found: dict[tuple[Hashable, bool], str] = {}
    for variable, begun in turn.variables.items():
        match turn.leaves[variable]:
            case Choice(test, anew, Symbol(term=counted)) if _follows(m, counted, begun) and literal(m.state, anew) == 0:
                outcome = True
            case Choice(test, Symbol(term=counted), anew) if _follows(m, counted, begun) and literal(m.state, anew) == 0:
                outcome = False
            case _:
                continue
        match test.at, test.key:
            case Site(source, ir.Compare(others=(number,))), Term(operands=(Term() as compared, Term())) if compared is counted:
                found[test.key, outcome] = source.code(number)
    return found


def flags_left(turn: Pass, region: Region) -> Iterator[Told]:
    """What a pass says of the next one by the flags that it sets, `first = False`: by what the flag was, and where that does not
    decide it, or is forgotten, by the tests that lead to what it is then."""
    for begun, value in _flags(turn, region):
        for was in (None, True, False):
            own = () if was is None else ((begun, was),)
            left = _left(value, begun, was)
            yield from (((*own, *outcomes), begun, is_then) for outcomes, is_then in left if is_then is not None)


def flags_begun(m: Machine, turn: Pass, region: Region) -> Iterator[Told]:
    """What the flags that a loop sets are on its first pass."""
    for begun, _ in _flags(turn, region):
        entered = m.state.entered[begun]
        yield from ((outcomes, begun, is_then) for outcomes, is_then in _left(entered, begun, None) if is_then is not None)
        if isinstance(entered, Symbol):
            yield from ((((entered.term, holds),), begun, holds) for holds in (True, False))
    yield from _begins_within(m, turn, region)


def windows_of_one(region: Region) -> Iterator[Told]:
    """What counts of a window come to where another test says that it has one pass, `k == 1`: each number is divisible by one."""
    asked = dict.fromkeys(test.key for test in tests(region))
    for key in asked:
        if isinstance(key, Term) and (window := remainder(key)):
            ones = (Term(head, window[1], _number(1)) for head in ("==", "<="))
            yield from ((((one, True),), key, window[2] is _number(0)) for one in ones if one in asked)


def left_on_second(turn: Pass, region: Region) -> Iterator[Told]:
    """What a pass says of the next one where the loop is left on its second, `if i == 1: break`: that is the next."""
    parts = region.parts if isinstance(region, Seq) else (region,)
    for part in parts:
        match part:
            case Either(Test(key=Term(head="==", operands=(Term() as counted, Term() as other))) as test, then) if is_left(then):
                base, added = offset(counted)
                second = turn.count is base and turn.start is not None and number(other) == turn.start + added + 1
                if second and "continue" not in leaves(then):
                    yield ((test.key, False),), test.key, True
            case _:
                pass


def _begins_within(m: Machine, turn: Pass, region: Region) -> Iterator[Told]:
    """What the tests of a loop inside come to where it begins for the first time, of variables that go on from there: on the
    first of all its passes, `global_step > 0` does not hold."""
    asked = {test.key for test in tests(region)} if turn.through else ()
    for variable in turn.through:
        value = m.state.entered.get(turn.variables[variable], NONE)
        if (number := literal(m.state, value)) is not None:
            value = Const(number)
        for begun, key in itertools.product(_begun_within(turn, variable), asked):
            if (holds := outcome(key, begun, value)) is not None:
                yield (), key, holds


def _begun_within(turn: Pass, variable: Key) -> Iterator[Term]:
    """What a variable is where a pass of a loop inside begins."""
    for inner in turn.inner:
        if variable in inner.variables:
            yield inner.variables[variable]
            yield from _begun_within(inner, variable)


def _flags(turn: Pass, region: Region) -> Iterator[tuple[Term, Value]]:
    """The variables that a loop sets and asks for: what each is where a pass begins, and where it ends."""
    asked = {test.key for test in tests(region)} if turn.variables else ()
    for variable, begun in turn.variables.items():
        left = turn.leaves[variable]
        if begun in asked and left is not None:
            yield begun, left


def _left(value: Value, begun: Term, was: bool | None) -> list[tuple[tuple[tuple[Hashable, bool], ...], bool | None]]:
    """Whether a flag is set where a pass leaves it, on each way, with the outcomes of the tests that lead there.

    was: whether it was set where the pass began. That, as what it is then, is None where it is not known.
    """
    match value:
        case Const(value=held):
            return [((), bool(held))]
        case Choice(test=test) if test.key is begun and was is not None:
            return _left(value.then if was else value.other, begun, was)
        case Choice(test=test) if test.key is begun:
            either = [_left(value.then, begun, True), _left(value.other, begun, False)]
            return either[0] if either[0] == either[1] else [((), None)]
        case Choice(test=test, then=then, other=other):
            arms = (True, _left(then, begun, was)), (False, _left(other, begun, was))
            found = [(((test.key, outcome), *outcomes), is_then) for outcome, arm in arms for outcomes, is_then in arm]
            return [((), found[0][1])] if len({is_then for _, is_then in found}) == 1 else found
        case _:
            return [((), was if term_of(value) is begun else None)]


def _follows(m: Machine, counted: Term, begun: Term) -> bool:
    """Whether a number is the next after another, by `n += 1` or by `n = n + 1`."""
    return m.state.before.get(counted) is begun or counted is Term("+", begun, _number(1))


def _number(value: int) -> Term:
    return term_of(Const(value))
