"""Checkpoints that a class offers to write, and that whoever trains an object of it writes again and again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopcheck.loop import Either, Event, Frame, Region, Seq
from loopcheck.read.domain.values import Arguments, Class, Function, Instance
from loopcheck.read.front import ir
from loopcheck.read.front.index import Index
from loopcheck.read.front.relevance import loads
from loopcheck.read.interpret.composing import facts_of, family
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import define

_CODE = """
def write(has{names}):
    for turn in turns:
        {lines}
"""


def steps_once(region: Region) -> bool:
    """Whether an optimizer is stepped in no loop of a region: the loop is its caller's, and what else he does in that."""
    match region:
        case Event(verb=verb):
            return verb == "step"
        case Seq(parts):
            return any(map(steps_once, parts))
        case Either(_, then, other):
            return steps_once(then) or steps_once(other)
        case Frame(body):
            return steps_once(body)
    return False


def is_offered(m: Machine, cls: Class, method: Function, files: Iterable[Index]) -> bool:
    """Whether a method writes what objects of a class go on from, and nobody calls it in these files, `agent.save()`."""
    known = [facts_of(each) for each in family(m, cls)]
    own = {"self"}.union(*(each.sets for each in known))
    return any(map(loads, known)) and all(_callees(index, method.code.name) <= own for index in files)


def _callees(index: Index, name: str) -> set[str]:
    """What a method of this name is called on in a file. Another method of the name hands the call on, nobody knows when."""
    called = {of for of, taken in index.uses.items() if name in taken and of not in index.imported}
    return called - {of for facts in index.functions.values() if facts.name == name for of, each in facts.taken if each == name}


def write_again(m: Machine, instance: Instance, methods: Sequence[Function], turned: Iterable[str]) -> None:
    """Reads how a user of an object has it written time and again, to the files that it takes by itself: what he has to say of
    those is another each time.

    turned: the attributes that training changes.
    """
    names = [f", save{index}" for index in range(len(methods))]
    lines = [f"has.{name} = turn" for name in sorted(turned)]
    lines += [f"{name[2:]}({_given(method.code.parameters)})" for name, method in zip(names, methods, strict=True)]
    code = _CODE.format(names="".join(names), lines="\n        ".join(lines))
    with m.state.within(supposed=True):
        m.invoke(instance.cls.node, define(m, code, "write"), Arguments((instance, *methods)))


def _given(parameters: ir.Parameters) -> str:
    """What a user gives: nothing for what has a name, or None, by itself. A flag may be either."""
    given = []
    for each in (*parameters.positional[1:], *parameters.keyword):
        match each.default:
            case ir.Literal(value=None | str()):
                continue
            case ir.Literal(value=bool()):
                given.append(f"{each.name}={each.name}")
            case _:
                given.append(f"{each.name}=turn")
    return ", ".join(given)
