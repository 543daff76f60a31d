"""What numbers are on the first pass of all loops around: counters where they begin, and what is computed of them.

As in `factors`, a length that is not known is more than 0; and who sets no option gets its default.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

from loopcheck.loop import Test
from loopcheck.read.domain.conditions import And, Condition, Not
from loopcheck.read.domain.parts import leaves_of, term_of
from loopcheck.read.domain.terms import Operand, Term
from loopcheck.read.domain.values import Choice, Const, Symbol, Value
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.numbers import Number, applied, compared, computed

_DEEPEST = 40
"""Terms in one another that are looked into."""
_OF_NUMBERS = ("builtins.", "math.", "numpy.")


def begins_at_zero(m: Machine, value: Value) -> bool:
    """Whether a value is computed to be 0 on the first pass; a 0 that is written is meant."""
    return _is_zero(_First(m), term_of(m.state.settled(value)))


def on_first_pass(m: Machine) -> bool:
    """Whether the program comes here on the first pass, as far as what changes from pass to pass decides it."""
    state = m.state
    changing = _changing(m)
    told = [(state.conditions[key], outcome) for key, outcome in state.assumed.items() if not changing.isdisjoint(key.parts())]
    first = _First(m)
    return all(_holds(first, condition) is outcome for condition, outcome in told)


def changes(m: Machine, test: Test) -> bool:
    """Whether a test may come to another outcome on a later pass; a setting of the program's does not."""
    return not isinstance(test.key, Term) or bool(test.names) or not _changing(m).isdisjoint(test.key.parts())


def _changing(m: Machine) -> Set[Term]:
    return m.state.counters | m.state.begins.keys() | m.state.entered.keys()


def _holds(first: _First, condition: Condition) -> bool | None:
    match condition:
        case Test(key=Term() as key):
            found = first.number(key)
            return found if isinstance(found, bool) else None
        case Not(of):
            return None if (holds := _holds(first, of)) is None else not holds
        case And(left, right):
            both = {_holds(first, left), _holds(first, right)}
            return False if False in both else None if None in both else True
        case bool(holds):
            return holds
        case _:
            return None


def _is_zero(first: _First, term: Operand) -> bool:
    match term:
        case Term(head="choice", operands=(test, then, other)):
            told = first.number(test)
            ways = (then, other) if not isinstance(told, bool) else (then if told else other,)
            return all(_is_zero(first, way) for way in ways)
        case Term(head=head):
            return head != "constant" and first.number(term) == 0
        case _:
            return False


@dataclass
class _First:
    """The numbers that terms are on the first pass; each is looked into once."""

    m: Machine
    known: dict[Term, Number] = field(default_factory=dict)
    deep: int = 0

    def number(self, term: Operand) -> Number:
        if not isinstance(term, Term) or self.deep == _DEEPEST:
            return None
        if term not in self.known:
            self.deep += 1
            self.known[term] = self._looked_into(term)
            self.deep -= 1
        return self.known[term]

    def _looked_into(self, term: Term) -> Number:
        state = self.m.state
        if term in state.begins:
            return float(state.begins[term])
        if term in state.entered:
            return self._begun(state.entered[term])
        match term.head, term.operands:
            case "constant", ((("int" | "float"), str(text)),) if not text.startswith("…"):
                return float(text)
            case "constant", (("bool", str(text)),):
                return text == "True"
            case ("+" | "-" | "*" | "/" | "//" | "%" | "**") as operator, (left, right):
                return computed(operator, self.number(left), self.number(right))
            case ("<" | "<=" | ">" | ">=" | "==" | "!=") as operator, (left, right):
                return compared(operator, self.number(left), self.number(right))
            case "choice", (test, then, other):
                told = self.number(test)
                if isinstance(told, bool):
                    return self.number(then if told else other)
                one, another = self.number(then), self.number(other)
                return one if one == another else None
            case "call", (str(function), Term(head="items", operands=given)) if function.startswith(_OF_NUMBERS):
                return applied(function.rpartition(".")[2], [self.number(each) for each in given])
            case _:
                known = state.symbols.get(term)
                return None if known is None or self._is_set(known) else _literal(known.default)

    def _is_set(self, option: Symbol) -> bool:
        """Whether an option is another than its default here: that is what has been asked."""
        return option.default is not None and self.m.state.outcome(Term("==", option.term, term_of(option.default))) is False

    def _begun(self, value: Value) -> Number:
        """What counting begins at; where a run that goes on begins elsewhere, what a fresh one begins at."""
        value = self.m.state.settled(value)
        if isinstance(value, Choice):
            found = {self._begun(each) for each in leaves_of(value)} - {None}
            return found.pop() if len(found) == 1 else None
        known = self.number(term_of(value))
        return self._unset(value) if known is None else known

    def _unset(self, value: Value) -> Number:
        """What an option is where nobody sets it, that is set to this on some way."""
        of_others = (own for owner, own in self.m.state.unbound.items() if isinstance(owner, Symbol))
        names = (name for own in of_others for name, (bound, _, _) in own.items() if bound is value and isinstance(name, str))
        return next((_literal(self.m.modules.default_of(name)) for name in names), None)


def _literal(value: Value | None) -> Number:
    return value.value if isinstance(value, Const) and isinstance(value.value, (bool, int, float)) else None
