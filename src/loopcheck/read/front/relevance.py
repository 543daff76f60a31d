"""Which code can matter to a rule: told from the index, by names over the call graph, before anything is interpreted."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache

from loopcheck.read import own
from loopcheck.read.front.index import Facts, Index
from loopcheck.words import (
    HELD_OUT,
    INFERENCE,
    LOADER,
    LOSSES,
    MODEL,
    NO_MODEL,
    OPTIMIZER,
    OPTIONS,
    REGULARIZERS,
    SCALER,
    SCHEDULER,
    is_test,
    of_class_name,
    words,
)

_TELLING = re.compile(
    r"backward|zero_grad|optim|no_grad|inference_mode|DataLoader|clip_grad|GradScaler|set_epoch|scheduler|requires_grad|autocast"
    r"|state_dict|init_(process_group|distributed$)"
)
"""Identifiers without which no event of training code can be written; `step`, `eval` and `train` only as calls."""
_BY_ITSELF = re.compile(r"^step$|backward|zero_grad|optim|clip_grad|set_epoch|unscale_|Sampler")
"""What is called where something can be wrong though nothing is looped over: all else is about passes over data."""
_PASSES = re.compile(r"no_grad|inference_mode|DataLoader")
"""Identifiers that make a loop a pass over data."""
_UNRECORDED = frozenset({"no_grad", "inference_mode"})
"""What a method says that applies a network for its numbers."""
_TRAINERS = OPTIMIZER | LOADER | SCHEDULER | SCALER
_ABOUT = NO_MODEL | OPTIONS
_DONE = frozenset({"step", "eval"})
_FILED = frozenset({("torch", "save"), ("torch", "load")})
_FOR_OTHERS = frozenset({"train", "import_module"})
"""What a function calls that does for it whatever training there is, or has what does."""
_OBJECTS = frozenset({"nn", "Module", "dataclass", "grad"})
SHORT = 8
"""Statements of a function that costs nothing to interpret, and may tell something by what it returns."""
_FILLING = frozenset({"load_state_dict", "load_from_checkpoint", "from_pretrained"})
"""What gives a network its weights."""
_TRAINS = frozenset({"backward", "step", "zero_grad", "GradScaler"})


def speaks(facts: Facts) -> bool:
    """Whether code holds a word without which no event of training code can be written."""
    return not _DONE.isdisjoint(facts.calls) or not _FILED.isdisjoint(facts.taken) or _tells(facts) or own.among(facts.mentions)


def steers(facts: Facts) -> bool:
    """Whether code holds such a word, or trains what it has, or puts it into train mode, `self.net.train()`."""
    return speaks(facts) or not _FOR_OTHERS.isdisjoint(facts.calls)


@lru_cache(maxsize=1 << 14)
def _tells(facts: Facts) -> bool:
    """Whether code holds such a word. Kept, as the next two are: whoever calls a function asks it of that."""
    return any(map(_TELLING.search, facts.mentions))


@lru_cache(maxsize=1 << 14)
def makes(facts: Facts) -> bool:
    """Whether code calls a class whose name says that its objects take part in training, or has a network that was trained."""
    return "from_pretrained" in facts.calls or any(of_class_name(name) for name, _ in facts.made)


@lru_cache(maxsize=1 << 14)
def _trains_alone(facts: Facts) -> bool:
    """Whether something can be wrong in code though it loops over nothing."""
    called = any(_BY_ITSELF.search(name) or of_class_name(name) == "optimizer" for name in facts.calls)
    return called or "optim" in facts.mentions


def evaluates(facts: Facts, index: Index) -> bool:
    """Whether code loops over held-out data, or is called an evaluation and loops: it may hold no other telling word."""
    if any(words(name) & (HELD_OUT | INFERENCE) for name in facts.over):
        return True
    return bool(words(facts.name) & (HELD_OUT | INFERENCE)) and _loops(facts, index)


def _loops(facts: Facts, index: Index) -> bool:
    """Whether code loops, by itself or through what it calls; code of other files may."""
    callees = (each for name in facts.calls for each in index.named.get(name, ()))
    return bool(facts.over) or not facts.calls.isdisjoint(index.imported) or any(each.over for each in callees)


def is_unit_test(facts: Facts, index: Index) -> bool:
    """Whether a function is one of the unit tests of its file."""
    return index.tests and is_test(facts.name)


def stands_alone(facts: Facts, index: Index) -> bool:
    """Whether a function that nobody calls is worth interpreting: a unit test is where it trains, for it evaluates nothing."""
    if _trains_alone(facts) or own.among(facts.calls):
        return True
    if is_unit_test(facts, index):
        return False
    if facts.owner and not _UNRECORDED.isdisjoint(facts.mentions):
        return True  # the object may have the network that it applies
    if _is_offered(facts, index):
        return True
    return "eval" in facts.calls or evaluates(facts, index) or (bool(facts.over) and any(map(_PASSES.search, facts.mentions)))


def _is_offered(facts: Facts, index: Index) -> bool:
    """Whether code is a method that answers by a network which its object has of a file, and trains nowhere: whoever has such an
    object asks it, `predictor.predict(image)`."""
    if not facts.owner or not facts.parameters or not facts.returns or facts.name.startswith("_"):
        return False
    methods = [each for each in index.functions.values() if each.owner == facts.owner]
    names = {each.name for each in methods}
    trains = any(not _TRAINS.isdisjoint(each.calls) for each in methods)
    return "forward" not in names and not trains and any(not _FILLING.isdisjoint(each.calls) for each in methods)


def does(facts: Facts, held: Set[str]) -> bool:
    """Whether a function that is handed no object can do something to training, or make an object.

    held: the attributes that the file's classes set, whatever they are.
    """
    return (
        facts.yields
        or (facts.counts and facts.returns)
        or bool(facts.shared or facts.edits_around)
        or speaks(facts)
        or not _FOR_OTHERS.isdisjoint(facts.calls)
        or not _OBJECTS.isdisjoint(facts.mentions)
        or makes(facts)
        or not facts.parameters.isdisjoint(facts.bare)
        or not held.isdisjoint(facts.members)
    )


def hands_on(facts: Facts, objects: Set[str] = _TRAINERS) -> bool:
    """Whether a function is given an object that it may hand on, by the names of its parameters: what training takes besides the
    model, which many functions are given that build it."""
    return any(words(name) & objects and not words(name) & _ABOUT for name in facts.parameters)


def gives(facts: Facts, held: Set[str]) -> bool:
    """Whether a function can make what it calls do other things than it does elsewhere: it acts itself, hands objects on that it
    was given, or is called an evaluation.

    held: the attributes that the file's classes set.
    """
    return hands_on(facts, _TRAINERS | MODEL) or bool(words(facts.name) & (HELD_OUT | INFERENCE)) or does(facts, held)


def acting(index: Index, seeds: Set[Facts]) -> frozenset[Facts]:
    """The functions of a file that do something, by themselves or through others of the file.

    seeds: those that call code of other files that does.
    """
    return index.reaching({*seeds, *(facts for facts in index.functions.values() if does(facts, index.held))})


def borrowed(index: Index, name: str) -> list[tuple[str, str, str]] | None:
    """What is used of other files in what a file has under a name: a module, a name in it, and an attribute that is taken of
    that, each empty where there is none. None where something is done to training at once.

    name: empty of everything in the file.
    """
    imported = {each.partition(".")[0]: found for each, found in index.imported.items()}
    found: set[tuple[str, str, str]] = set()
    seen: set[str] = set()
    work = [name] if name else [*index.classes, *index.named, *imported]
    while work:
        each = work.pop()
        if each in seen:
            continue
        seen.add(each)
        if each in imported:
            found.add((*imported[each], ""))
        for facts in [index.classes[each]] if each in index.classes else index.named.get(each, ()):
            if steers(facts):
                return None
            taken = {head for head, _ in facts.taken}
            found |= {(*imported[head], inner) for head, inner in facts.taken if head in imported}
            work += (used for used in facts.mentions if used not in taken and (used in imported or used in index.named))
    return sorted(found)


def writes(facts: Facts) -> bool:
    """A function that writes a checkpoint."""
    return ("torch", "save") in facts.taken


def loads(facts: Facts) -> bool:
    """A function that reads a checkpoint."""
    return ("torch", "load") in facts.taken


def trains(facts: Facts) -> bool:
    """A class whose methods do more than compute: they step, clear, or go backward."""
    return not _TRAINS.isdisjoint(facts.calls) or "optim" in facts.mentions or "GradScaler" in facts.mentions


def differentiates(index: Index) -> bool:
    """Whether a network's forward takes gradients where it is applied, forces of an energy say: no_grad around would break it.

    One that turns autograd on for that can do without, and a loss takes gradients of other networks.
    """
    methods = [each for each in index.functions.values() if each.owner and not words(each.owner) & (LOSSES | REGULARIZERS)]
    takes = {each for each in methods if "grad" in each.calls and "enable_grad" not in each.mentions}
    return any(_reaches(methods, each, takes) for each in methods if each.name == "forward") if takes else False


def takes_gradients(index: Index) -> bool:
    """Whether a function takes gradients that are no penalty's, wherever that is called: under no_grad it would raise."""
    taken = (each for each in index.functions.values() if "grad" in each.calls and "enable_grad" not in each.mentions)
    return any(not (words(each.owner or "") | words(each.name)) & (LOSSES | REGULARIZERS) for each in taken)


def _reaches(methods: list[Facts], forward: Facts, takes: Set[Facts]) -> bool:
    """Whether a forward, or a method that it calls of its class or of a part of it, here and in turn, is one of these."""
    named: dict[str, list[Facts]] = {}
    for method in methods:
        named.setdefault(method.name, []).append(method)
    seen, work = set[Facts](), [forward]
    while work:
        each = work.pop()
        if each not in seen:
            seen.add(each)
            called = (method for name in each.members | each.calls for method in named.get(name, ()))
            work += [method for method in called if method.name not in ("__init__", "forward")]
    return not seen.isdisjoint(takes)
