"""Whether code is worth reading: it holds one of the words without which no event of training code can be written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from loopcheck.read import own
from loopcheck.words import APPLIED, MODEL, SETTINGS, words

_WORDS = re.compile(
    rb"backward|zero_grad|optim|\.step\(|\.eval\(|no_grad|inference_mode|DataLoader|clip_grad|GradScaler|set_epoch|scheduler|\.load_(?:state_dict|from_checkpoint)\("
    rb"|[\"'](?:LOCAL_)?(?:RANK|WORLD_SIZE)[\"']|(?:\bmodels\.\w+|\bcreate_model)\([^()\n]*(?:pretrained=True|weights=)"
    rb"|\btorch\.load\(|(?:[mM]odel\w*|For[A-Z]\w*)\.from_pretrained\("
)
_DROPS = re.compile(rb"F\.\w*dropout|functional\.\w*dropout|dropout_p|efficient_attention|Dropout(?:[123]d)?\([^()\n]*\)\(")
_KEEPS = re.compile(
    rb"self\.\w+(?: ?:[^=\n]+)? ?= ?(?:list\(|dict\()?\(?(?:\[|\{(?:[^{}:\n]*:)?)\s*(?:\w+\.)*\w+\("
    rb"|\w\.append\(\w|return \[\s*(?:\w+\.)*\w+\(|self\.\w+ ?= ?\w+\((?:nn\.)?[A-Z]\w+\("
)
"""What is told of a network by its class alone, wherever it is trained."""
_IS_NETWORK = re.compile(rb"^[ \t]*class \w+\(.*\bModule\b", re.M)
_ENTROPIES = re.compile(rb"cross_entropy|CrossEntropy(?:Loss)?\b|BCE(?:WithLogits)?Loss|nll_loss|NLLLoss")
_PROBABILITIES = re.compile(rb"[sS]oftmax\(|[sS]igmoid\(")
_LOGARITHMS = re.compile(rb"\blog\(")
_LOSSES = re.compile(rb"\bdef \w*[lL]oss")
"""What is told of a loss by the function that computes it."""
_DEFINES = re.compile(
    rb"\bnn\.[A-Z]\w*\(|\bnn\.Module\b|^from torch\.nn(?:\.modules\S*)? import|\(Module\)"
    rb"|\bvolatile=|@(?:dataclasses\.)?dataclass|%[^%\n]+[=!]= *[01]\b|^[ \t]+from [.\w]+ import"
    rb"|^from [.\w]+ import \*|\.add_argument\(",
    re.M,
)
_MAKES = re.compile(rb"\.from_pretrained\(|\bmodels\.\w+\(|\bcreate_model\(|\bhub\.load\(")
_DIVIDES = re.compile(rb"\binit_(?:process_group|distributed)\b|\bDistributed(?:DataParallel|Sampler)\b")
"""What divides training among processes, for programs that train elsewhere."""
_CUTS = re.compile(rb"argm(?:ax|in)\b|\.(?:detach|item|tolist|numpy|long)\(|\.data\b|no_grad")
_PLAIN_BASES = frozenset(
    b"ABC ABCMeta BaseModel Dataset Enum Exception Generic IntEnum NamedTuple Protocol Sampler StrEnum TestCase Thread TypedDict"
    b" ValueError abc data dict enum list metaclass object str torch tuple typing unittest utils".split()
)
"""Words in the bases of classes that are no networks."""
_HOLDS = re.compile(rb"\bself\.(\w+) = (\w+)\s*$", re.M)
_HOLD_TOGETHER = re.compile(rb"^[ \t]+((?:self\.\w+, ?)+self\.\w+) = (\w+(?:, ?\w+)+)\s*$", re.M)
_ADDS = re.compile(rb"\bself\.(\w+)(?:\[[^\]\n]*\])?(?: \+= | = self\.\1 \+ |\.append\()")
"""What a method writes that adds to what its object has: `self.sum += value`, `self.losses[name].append(value)`."""
OTHER_LIBRARIES = frozenset({
    "chainer", "dynet", "flax", "haiku", "jax", "jittor", "keras", "megengine", "mindspore", "mlx", "mxnet", "oneflow", "paddle",
    "tensorflow", "theano", "tinygrad",
})  # fmt: skip
"""Packages that train by words that are torch's as well: an optimizer, a `Module`."""
_OTHERS = re.compile(rf"^[ \t]*\"?(?:import|from)[ \t]+(?:{'|'.join(sorted(OTHER_LIBRARIES))})\b".encode(), re.M)
_APPLIES = re.compile(rb"(?i)=\s*\w*(?:classifier|detector|encoder|generator|model|net|network)\w?\(")
"""What applies a network, or makes one: `pred = model(x)`."""
_OF_TENSORS = re.compile(rb"\.(?:cuda|detach|permute|unsqueeze)\(")
"""What no array has and every tensor: a file has torch's from those that it imports."""
_TORCH = re.compile(rb"^[ \t]*\"?(?:import|from)[ \t]+\S*(?:torch|lightning|accelerate|deepspeed|ignite)", re.M)


_KEEPS_STATES = re.compile(rb"\bstate_dict\b|load_state_dict|\btorch\.(?:save|load)\b")
"""What writes checkpoints and reads them, for programs that train elsewhere."""


def worth_reading(data: bytes) -> bool:
    """A file without any of these words holds no event that a rule could match; null bytes hide words (UTF-16)."""
    return trains(data) or (_of_networks(data) and not _of_another_library(data))


@lru_cache(maxsize=1024)
def trains(data: bytes) -> bool:
    """Whether anything may happen in a file that its functions have to be read for. Kept: of one that many import, each asks."""
    return b"\0" in data or _speaks_of_training(data) or own.mentioned(data) or _applies_a_network(data)


def _applies_a_network(data: bytes) -> bool:
    """Whether code may apply a network that a function of another file has made and loaded: it has none of training's words."""
    applies = _APPLIES.search(data) is not None
    return applies and (_TORCH.search(data) is not None or (_OF_TENSORS.search(data) is not None and not _OTHERS.search(data)))


def _speaks_of_training(data: bytes) -> bool:
    return _WORDS.search(data) is not None and not _of_another_library(data)


def _of_another_library(data: bytes) -> bool:
    """Its loops train, by words that are torch's as well, but it is another library that they are said to."""
    return _TORCH.search(data) is None and _OTHERS.search(data) is not None  # torch is imported early, most often


def _of_networks(data: bytes) -> bool:
    if _DROPS.search(data) is not None or (_IS_NETWORK.search(data) is not None and _KEEPS.search(data) is not None):
        return True
    if _PROBABILITIES.search(data) is None:
        return False
    return _ENTROPIES.search(data) is not None or (_LOGARITHMS.search(data) is not None and _LOSSES.search(data) is not None)


def holds_networks_alone(data: bytes) -> bool:
    """Whether all that is to be told of a file is told by its classes, as they stand."""
    return not trains(data) and _of_networks(data)


def worth_following(data: bytes) -> bool:
    """The same of a file that an import leads to, where a network, a configuration, options or a window may be defined, a
    function that drops for networks, or a factory that imports what it makes."""
    return acts(data) or _DEFINES.search(data) is not None or _DROPS.search(data) is not None


def cuts(data: bytes, name: str) -> bool:
    """Whether a function of a file may hand back numbers that have no graph, as a loss does that is no more than shown."""
    return _CUTS.search(_definition(data, name)) is not None


def applies(data: bytes, name: str) -> bool:
    """Whether a function of a file calls something that it is given, `sample(net, noise)`, or a class what it was made with, or a
    method of that: it may be a network, or have one."""
    text = _definition(data, name)
    signature, _, body = text.partition(b":\n")
    if text.startswith(b"def"):
        given = re.findall(rb"\w+", signature.partition(b"(")[2])
        networks = _networks(data, given)
        return _calls(body, given if b"torch" in data else networks) or _asks(body, networks)
    for _, parameters, inner in _METHOD.findall(text):
        networks = _networks(data, re.findall(rb"\w+", parameters))
        if _calls(inner, networks) or _asks(inner, networks):
            return True
    held = rb"|".join(attribute for attribute, of in _bound(text) if attribute == of)
    return bool(held) and re.search(rb"\bself\.(?:%s)(?:\.\w+)?\(" % held, body) is not None


def _networks(data: bytes, given: Iterable[bytes]) -> list[bytes]:
    """The parameters of a function that say that they are networks, in a file that need not say anything of torch."""
    if _OTHERS.search(data) is not None:
        return []
    return [each for each in given if words(each.decode(errors="replace")) & MODEL]


def _calls(body: bytes, names: Iterable[bytes]) -> bool:
    """Whether code calls one of these names, or the forward of one."""
    given = rb"|".join(map(re.escape, names))
    return bool(given) and re.search(rb"\b(?:%s)(?:\.forward)?\(" % given, body) is not None


def _asks(body: bytes, networks: Iterable[bytes]) -> bool:
    """Whether code calls a method of one of these networks by which it is applied, `model.encode(batch)`."""
    given = rb"|".join(map(re.escape, networks))
    called = re.findall(rb"\b(?:%s)\.(\w+)\(" % given, body) if given else ()
    return any(words(each.decode(errors="replace")) & APPLIED for each in called)


def _bound(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The attributes of self that code binds to names, each with the name, several in a line among them."""
    yield from _HOLDS.findall(text)
    for targets, names in _HOLD_TOGETHER.findall(text):
        yield from zip(re.findall(rb"self\.(\w+)", targets), re.findall(rb"\w+", names), strict=False)


def gathers(data: bytes, name: str) -> bool:
    """Whether a class of a file adds what its methods are given to what its objects have, as a meter does with losses."""
    text = _definition(data, name)
    methods = _METHOD.findall(text) if text.startswith(b"class") else []
    return any(b"," in given and method != b"__init__" and _ADDS.search(body) is not None for method, given, body in methods)


_METHOD = re.compile(rb"^[ \t]+def (\w+)\(([^)]*)\)(.*?)(?=^[ \t]+(?:async )?def |\Z)", re.M | re.S)
"""The name of a method, what it is given, and the rest of it."""


def derives(data: bytes, name: str) -> bool:
    """Whether a class of a file has a base by which it may be a network, one that another file defines."""
    found = re.search(rb"^class %s\(([^)]*)\)" % re.escape(name.encode()), data, re.M)
    return found is not None and not set(re.findall(rb"\w+", found[1])) <= _PLAIN_BASES


def makes(data: bytes, name: str) -> bool:
    """Whether a function of a file makes an object of a class that the file imports, or has one made where its name says that it
    is for networks, `build_model`: neither need say a word of torch."""
    text = _definition(data, name)
    if not text.startswith(b"def"):
        return False
    imported = {each for names in _IMPORTED.findall(data) for each in re.findall(rb"\w+", names)}
    called = _CALLED.findall(text) if words(name) & MODEL else _CONSTRUCTED.findall(text)
    return not imported.isdisjoint(each.partition(b".")[0] for each in called)


def completes(data: bytes, name: str) -> bool:
    """Whether a function of a file hands back the options that it is given, `args = process(args)`: they are the same ones."""
    signature, _, body = _definition(data, name).partition(b":\n")
    given = signature.partition(b"(")[2]
    options = (each for each in re.findall(rb"\w+", given) if words(each.decode(errors="replace")) & SETTINGS)
    return any(re.search(rb"^[ \t]+return %s[ \t]*$" % each, body, re.M) for each in options)


_IMPORTED = re.compile(rb"^(?:from[ \t]+[.\w]+[ \t]+)?import[ \t]+(\([^)]*\)|.+)", re.M)
_CALLED = re.compile(rb"\b((?:\w+\.)*\w+)\(")
_CONSTRUCTED = re.compile(rb"\b((?:\w+\.)*[A-Z]\w*)\(")


def _definition(data: bytes, name: str) -> bytes:
    """The text of a function or class of a file, empty where it has none of that name."""
    found = re.search(rb"^(?:def|class) %s\b.*?(?=^[^\s)#]|\Z)" % re.escape(name.encode()), data, re.M | re.S)
    return found[0] if found else b""


def acts(data: bytes) -> bool:
    """Whether calling what stands in a file may do something: to training, or to a checkpoint, or make a network of a library, or
    have it trained in several processes."""
    return trains(data) or _MAKES.search(data) is not None or any(each.search(data) for each in (_KEEPS_STATES, _DIVIDES))
