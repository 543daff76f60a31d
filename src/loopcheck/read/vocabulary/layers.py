"""Layers and ready-made networks, torchvision's and pretrained ones, and those of their methods that are no forward.

A network keeps whether it is `moded` (its layers differ between train and eval mode), whether it has `vectors`
(one-dimensional parameters, biases and norms, which weight decay is not meant for), and whether it hands out `rows` alone.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import lru_cache

from loopcheck.api import ACTIVATED, MODED, OWN_STATISTICS, REARRANGING, Mode
from loopcheck.read.domain.parts import parts_of, term_of
from loopcheck.read.domain.terms import BUFFER, Term
from loopcheck.read.domain.values import NONE, Api, Bound, Choice, Const, Instance, Items, Object, Partial, Stream, Symbol, Value
from loopcheck.read.vocabulary import Call, Row, Same, has_parameters, plain
from loopcheck.read.vocabulary.architectures import alike, differs, ready_made
from loopcheck.words import is_batch_norm

_MODED = re.compile(r"Dropout|DropPath|DropBlock|BatchNorm|dropout|batch_norm|^Transformer(\w+Layer)?$")
"""In a name, layers that differ between the modes, and options that make one of them."""
_MODELESS = re.compile(
    r"(Linear|Conv\w+|ReLU\w*|GELU|SiLU|Tanh|Sigmoid|LeakyReLU|ELU|Softmax|LogSoftmax|Sequential|ModuleList|ModuleDict|Flatten"
    r"|Embedding\w*|LayerNorm|GroupNorm|RMSNorm|MaxPool\w+|AvgPool\w+|Adaptive\w+|Identity|Module|Parameter|functional|init|LSTMCell"
    r"|GRUCell|Upsample|Unflatten|PixelShuffle|Hardtanh|Softplus|utils|Bilinear|ZeroPad\w+|ReflectionPad\w+|ConvTranspose\w+"
    r"|LSTM|GRU|RNN|MultiheadAttention|RNNCell|Lazy(Linear|Conv\w+)|PReLU|[CS]ELU|GLU|Mish|Hard(shrink|sigmoid|swish)"
    r"|Soft(max2d|min|shrink|sign)|LogSigmoid|Tanhshrink|Threshold|(Max|Frac|LP)\w*(Unpool|Pool)\w+|LocalResponseNorm"
    r"|(Circular|Constant|Replication)Pad\w+|CrossMapLRN2d|ChannelShuffle|PixelUnshuffle|Fold|Unfold|Upsampling\w+"
    r"|CosineSimilarity|PairwiseDistance|Parameter(List|Dict))$"
)
_EMPTY = re.compile(
    r"(?!PReLU$)(\w*(ReLU6?|ELU|GELU|Tanh|Sigmoid|Softmax|Pool\w*|Dropout\w*|Pad\w*)|SiLU|Mish|GLU|Hard\w+|Tanhshrink|Threshold"
    r"|Soft(max2d|min|plus|shrink|sign)|MaxUnpool\w*|Upsampl\w+|Pixel\w+|ChannelShuffle|LocalResponseNorm|CrossMapLRN2d"
    r"|(Unf|F)(latten|old)|Identity|CosineSimilarity|PairwiseDistance)"
)


_TENSORS = frozenset({"Variable", "Tensor", "FloatTensor", "LongTensor", "ByteTensor", "BoolTensor", "IntTensor", "DoubleTensor"})


def makes_data(name: str) -> bool:
    """Whether a class of this name makes a tensor or a loss, and nothing that holds layers."""
    return name in _TENSORS or name.endswith("Loss")


@lru_cache(maxsize=1 << 14)
def moded_by_name(name: str, given: int = 0) -> bool:
    """Whether a name is that of layers that differ between the modes. given: the positional arguments of its call: recurrent
    layers and attention do with a dropout only."""
    return bool(_MODED.search(name)) or (name in MODED and given > MODED[name].place)


def makes_densities(module: str) -> bool:
    """Whether a module's classes are of densities, which hold no layers: `D.Normal(mean, scale)`."""
    return module.startswith("torch.distributions") or module == "distributions"


def modeless(name: str) -> bool:
    """Whether a name of `torch.nn` is that of a layer or a loss that is the same in both modes."""
    return bool(_MODELESS.match(name)) or name.endswith("Loss")


_LAYER = re.compile(r"torch\.nn\.(modules\.(?!loss\.)\w+\.)?(?!Module|DataParallel|Parameter|Uninitialized)[A-Z]\w*(?<!Loss)")


def is_layer_of_torch(name: str) -> bool:
    """Whether a qualified name is that of a layer, or of a container that is applied like one."""
    return bool(_LAYER.fullmatch(name))


def is_layer(name: str) -> bool:
    """Whether a name of `torch.nn` is that of a layer; a loss holds nothing that is trained."""
    return name not in ("Module", "functional", "utils") and not name.endswith("Loss")


def only_computes(name: str) -> bool:
    """Whether a name of `torch.nn` is that of a layer that has nothing to learn and no modes: an activation, say."""
    return bool(_EMPTY.fullmatch(name)) and not moded_by_name(name)


LEARNING = [
    r"torch\.nn\.(\w+\.)*((Lazy)?(Linear|Bilinear|Conv(Transpose)?\dd|(Batch|Instance)Norm\dd)|Embedding(Bag)?|LayerNorm|GroupNorm"
    r"|RMSNorm|(LSTM|GRU|RNN)(Cell)?|MultiheadAttention|Transformer\w*|PReLU|Parameter)"
]
_CONTAINER = re.compile(r"torch\.nn\.(modules\.\w+\.)?(Sequential|ModuleList|ModuleDict|ParameterList|ParameterDict)")


def learns_nothing(name: str) -> bool:
    """Whether layers of a class of `torch.nn` have no parameters: what they are applied to decides whether there is a graph."""
    return _EMPTY.fullmatch(name) is not None


def said_to_be_a_layer(test: Term) -> Term | None:
    """What a test says to be a layer, an object of a class of `torch.nn` that holds no others; None of another test."""
    match test.operands:
        case ("builtins.isinstance", Term(head="items", operands=(Term() as one, Term() as classes))):
            named = [str(each.operands[0]) for each in classes.parts() if each.head == "api"]
            return one if named and all(map(_is_single, named)) else None
        case _:
            return None


def _is_single(name: str) -> bool:
    """Whether a class is that of a layer of torch, by its qualified name, and of nothing that holds others."""
    last = name.rpartition(".")[2]
    return name.startswith("torch.nn.") and is_layer(last) and "Parallel" not in last and not is_container(name)


def is_container(name: str) -> bool:
    """Whether a class of `torch.nn` makes what registers the layers that it is given."""
    return _CONTAINER.fullmatch(name) is not None


def copies_layers(name: str) -> bool:
    """Whether a class of `torch.nn` makes copies of the layer that it is given, which it does not hold itself."""
    return name in ("torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder")


def layer(call: Call) -> Value:
    name = call.name.rpartition(".")[2]
    with_bias = bool(re.fullmatch(r"(Linear|Bilinear|Conv\w+)", name))
    empty = learns_nothing(name)
    vectors = call.get(99, "bias") != Const(False) if with_bias else not (empty or name.startswith("Embedding"))
    moded = _moded(call, MODED[name]) if name in MODED else moded_by_name(name)
    learned = has_parameters(call.name)
    keeps: dict[str, object] = {
        "vectors": vectors,
        "learned": learned,
        "empty": empty,
        "by_batch": is_batch_norm(name) and moded,
        "rows": name.startswith("Embedding"),
        "activation": call.activation(ACTIVATED[name]) if name in ACTIVATED else "",
        "rearranges": name in REARRANGING,
    }
    keeps |= {} if moded is None else {"moded": moded}
    keeps |= {"share": share} if (share := _share(call, name)) is not None else {}
    return call.build("model", (), {"training": True}, keeps)


def _share(call: Call, name: str) -> Term | None:
    """What a layer is told to drop, where that is an option of a network that drops by default."""
    option = MODED.get(name)
    given = call.get(option.place, option.option) if option and option.option in ("dropout", "p") else None
    by_default = not isinstance(given, Symbol) or given.default is None or bool(given.default.value)
    return term_of(given) if isinstance(given, Symbol) and by_default else None


def _moded(call: Call, mode: Mode) -> bool | None:
    """Whether a layer differs between the modes as it is made here; it may where that is not known. None of one whose statistics
    are those of the last batch, or of a norm of single samples: who puts those into train mode may want what they do there."""
    given = call.get(mode.place, mode.option)
    differs = bool(given.value if isinstance(given, Const) else given or mode.default)
    if differs and mode.option == "track_running_stats" and (mode is OWN_STATISTICS or call.get(3, "momentum") == Const(1)):
        return None
    return differs


def stack(call: Call) -> Value:
    """`nn.TransformerEncoder(layer, 6)` is several of its layer."""
    moded = call.moded(call.get(0, "encoder_layer") or call.get(0, "decoder_layer"))
    keeps: dict[str, object] = {"vectors": True, "learned": True, **({} if moded is None else {"moded": moded})}
    return call.build("model", (), {"training": True}, keeps)


def container(call: Call) -> Value:
    """`nn.Sequential(…)` and its like are what they hold."""
    held = list(parts_of(Items((*call.args, *call.keywords.values()))))
    made_here = [value.role for value in held if isinstance(value, (Instance, Object))]
    others = [value for value in held if not isinstance(value, (Object, Items, Const))]
    layers = [value for value in held if isinstance(value, Object)]
    hidden = bool(others) or not call.complete
    modes = [_mode_of(call, value) for value in (*call.args, *call.keywords.values())]
    moded = True if True in modes else None if not call.complete or None in modes else False
    vectors = hidden or any(each.facts.get("vectors") is not False for each in layers)
    learned = any(each.facts.get("learned") for each in layers)
    by_batch = any(each.facts.get("by_batch") for each in layers)
    keeps: dict[str, object] = {"vectors": vectors, "activation": _last(call), "learned": learned, "by_batch": by_batch}
    keeps["guards"] = call.guards
    single = [value for value in held if not isinstance(value, (Items, Choice))]
    keeps["empty"] = bool(single) and all(map(call.computes_only, single))
    keeps |= {} if moded is None else {"moded": moded}
    trains = all(any(call.in_train_mode(whole) for whole in _wholes(call, each)) for each in others)
    made = call.build("model", (), {"training": trains or None}, keeps)
    for whole in call.roles(made, "model"):
        for each in made_here:
            if each is not None and each.kind == "model":
                each.join(whole)
    given = [value.base if isinstance(value, Bound) else value for value in held if not isinstance(value, Items)]
    if given and all(map(call.may_be_frozen, given)):  # `nn.Sequential(*list(resnet.children())[:-1])`
        call.freeze(call.roles(made, "model"), None)
    around = [frozenset(whole.role for whole in _wholes(call, each)) - {*call.roles(each, "model")} for each in given]
    for whole in frozenset.intersection(*around) if around else ():  # what is done to a network is done to these of its layers
        for role in call.roles(made, "model"):
            role.join(whole)
    return made


def _mode_of(call: Call, value: Value) -> bool | None:
    """Whether what a container holds differs between the modes; None where that depends on which of two it is."""
    match value:
        case Choice(test, then, other):
            arms = {then: _mode_of(call, then), other: _mode_of(call, other)}
            by_share = any(mode and any(_is_asked(call, test.key, each) for each in parts_of(arm)) for arm, mode in arms.items())
            return True if by_share else arms[then] if arms[then] == arms[other] else None
        case Items(values):
            modes = [_mode_of(call, each) for each in values]
            return True if True in modes else None if None in modes else False
        case Object():
            moded = value.facts.get("moded")
            return moded if isinstance(moded, bool) else None
        case Const():
            return False
        case Instance():
            return call.moded(value)
        case Symbol(term=Term(head="item", operands=(Term(head="stream"), Term()))) if _of_whole(call, value, "by_batch"):
            return True  # of `list(resnet.children())[:-1]` some normalize, if one of them may not
        case _:
            return None


def _is_asked(call: Call, test: Hashable, layer: Value) -> bool:
    return asks_for_share(test, call.keeps(layer, "share"))


def asks_for_share(test: Hashable, share: object) -> bool:
    """Whether a test asks nothing but whether there is a share for a layer to drop: with a share of 0 that drops nothing, and a
    network that has it where there is one, `if rate > 0: self.drop = nn.Dropout(rate)`, is one that has it anyway."""
    match test:
        case Term(head="not" | "and" | "or", operands=parts):
            return all(asks_for_share(each, share) for each in parts)
        case Term(head="==" | "!=" | "<" | ">" | "is" | "is not", operands=(left, right)) if share in (left, right):
            return left in _NO_SHARE or right in _NO_SHARE
        case _:
            return isinstance(share, Term) and test is share


_NO_SHARE = frozenset(map(term_of, (NONE, Const(0), Const(0.0))))


def _of_whole(call: Call, value: Value, name: str) -> bool:
    """Whether the construction of a model, or of one that it is a part of, kept something."""
    return any(call.keeps(whole, name) for whole in _wholes(call, value))


def _wholes(call: Call, value: Value) -> list[Object]:
    """A model, and those that it is a part of."""
    return [Object(whole) for role in call.roles(value, "model") for whole in role.wholes]


def _last(call: Call) -> str:
    """What a container puts its values through last, which is a sequence of layers, or may be passed over like one."""
    layers = call.args
    if layers and (call.name.endswith("ModuleList") or len(layers) == 1):  # `nn.Sequential(OrderedDict(…))`
        layers = layers[0].values if isinstance(layers[0], Items) else layers
    known = layers if call.complete and call.name.endswith(("Sequential", "ModuleList")) else ()
    last = next((each for each in reversed(known) if not (isinstance(each, Object) and each.facts.get("rearranges"))), None)
    return last.activation if isinstance(last, Object) else ""


HEADS = frozenset({"classifier", "fc", "head", "heads", "last_linear"})
"""What the classifiers of torchvision, timm and transformers call the layer whose values they put out."""


def grown(call: Call) -> Value:
    """`layers.append(layer)`: a container holds one more, and computes nothing."""
    layers = [value for value in parts_of(Items(call.args)) if call.roles(value, "model")]
    for whole in call.roles(call.me, "model"):
        for each in layers:
            call.attached(whole, each)
        for inner in (role for each in layers for role in call.roles(each, "model")):
            inner.join(whole)
    modes = {call.moded(each) for each in (call.me, *layers)}
    always = call.moded(call.me) or call.guards == call.keeps(call.me, "guards")  # what only some test adds may not be there
    if layers and modes != {False}:
        call.keep(call.me, moded=True if True in modes and always else None)
    if not all(call.computes_only(each) for each in parts_of(Items(call.args)) if not isinstance(each, (Items, Choice, Const))):
        call.keep(call.me, empty=False)
    if any(call.keeps(each, "vectors") is not False for each in parts_of(Items(call.args)) if call.roles(each, "model")):
        call.keep(call.me, vectors=True)
    objects = [each for each in layers if isinstance(each, Object)]
    at_end = always and len(objects) == 1 and not call.name.endswith("insert")
    call.keep(call.me, activation=objects[0].activation if at_end else "")
    return call.me or NONE


def added(call: Call) -> Value:
    """`layers.add_module("linear", layer)`: a container holds one more; what a module of the project gets so is out of sight."""
    if isinstance(call.me, Object):
        grown(call)
    return NONE


def parts(call: Call) -> Value:
    """`for layer in model.modules()`: what is done to one of a network's layers is not done to the network."""
    if not isinstance(call.me, (Instance, Object)):
        return call.pure()
    return Stream((call.unknown("name"), call.me) if call.name.startswith("named_") else (call.me,))


def network(call: Call) -> Value:
    """A ready-made network, batch norm or dropout and all."""
    package, _, maker = call.name.rpartition(".")
    told = call.args[0] if call.args else call.keywords.get("model_name") or call.keywords.get("name")
    if maker in ("create_model", "get_model") and isinstance(told, Const):
        return _network(call, f"{package}.{told.value}")
    return _network(call, call.name)


def _network(call: Call, name: str) -> Value:
    moded = ready_made(name, {*call.keywords} if call.complete else None)
    keeps: dict[str, object] = {} if moded is None else {"moded": moded}
    if moded and _BY_BATCH.search(name):
        keeps["by_batch"] = True
    if moded and _PLAIN_BODY.search(name):
        keeps["body"] = False
    if _comes_with_weights(call):
        keeps["filled"] = "build"
    return call.build("model", (), {"training": True}, keeps)


def _comes_with_weights(call: Call) -> bool:
    """Whether a ready-made network is asked for with its weights: `resnet18(pretrained=True)`, `resnet18(weights="DEFAULT")`."""
    given = call.keywords.get("pretrained") or call.keywords.get("weights")
    return bool(given.value) if isinstance(given, Const) else isinstance(given, Api)


def body(kept: Mapping[str, object]) -> Mapping[str, object]:
    """What computes features, `vgg19().features`, has batch norms where the network has some, and else no modes where the
    network's dropout is in what classifies."""
    if kept.get("by_batch"):
        return {"moded": True, "by_batch": True}
    return {"moded": False} if kept.get("body") is False else {}


def from_hub(call: Call) -> Value:
    """`torch.hub.load("pytorch/vision", "resnet18")` makes one of torchvision's; what is in other hubs nobody here knows."""
    hub, name = call.get(0, "repo_or_dir"), call.get(1, "model")
    known = isinstance(hub, Const) and str(hub.value).partition(":")[0] == "pytorch/vision"
    return _network(call, f"models.{name.value if isinstance(name, Const) else ''}") if known else call.pure()


_BY_BATCH = re.compile(
    r"models\.(\w+\.)?(resnet|resnext|wide_resnet|densenet|mobilenet|efficientnet|mnasnet|vgg\d+_bn|googlenet|inception)"
)
"""Ready-made networks with batch norms."""
_PLAIN_BODY = re.compile(r"models\.(\w+\.)?(alexnet|squeezenet1_[01]|vgg\d+)$")
"""Those of torchvision whose dropout is in what classifies."""


def pretrained(call: Call) -> Value:
    """`from_pretrained` puts the network that it makes into eval mode. It has the dropout of its configuration, which is mostly
    that of its architecture."""
    given = any(name == "config" or "drop" in name for name in call.keywords)
    checkpoint = call.get(0, "pretrained_model_name_or_path")
    called = str(checkpoint.value) if isinstance(checkpoint, Const) else None
    moded = True if call.complete and not given and differs(call.name, called) else False if alike(call.name) else None
    made = call.build("model", (), {"training": True}, {} if moded is None else {"moded": moded})
    roles = call.roles(made, "model")
    call.emit("evaluate", roles, {"moded": moded, "flagged": False, "apart": False, "partly": False})
    call.switched(roles, training=False)
    return made


def vectors(call: Call) -> Value:
    """`nn.Embedding.from_pretrained(vectors)` is frozen, unless it is told otherwise: it looks rows up, and has no graph."""
    frozen = call.get(1, "freeze") in (None, Const(True)) and call.complete
    return call.build("model", (), {"training": True}, {"moded": False, "vectors": False, "empty": frozen, "learned": not frozen})


def configured(call: Call) -> Value:
    """`from_config` makes a network of random weights, in train mode as any."""
    return call.build("model", (), {"training": True}, {"moded": False} if alike(call.name) else {})


def criterion(call: Call) -> Value:
    made = Api(f"{call.name}()")
    reduction = call.keywords.get("reduction")
    return Partial(made, keywords=(("reduction", reduction),)) if reduction else made


def same_criterion(call: Call) -> Value:
    """`nn.CrossEntropyLoss().to(device)`: a criterion is a module, and hands itself back."""
    return Api(call.name.rpartition(".")[0])


def register(call: Call) -> Value:
    """`self.register_buffer("positions", tensor)`: a tensor, and no module."""
    name = call.get(0, "name")
    if isinstance(name, Const):
        call.hold(str(name.value), call.unknown(BUFFER))
    return NONE


def frozen(call: Call) -> Value:
    """`model.freeze()`, of Lightning say: of a class out of sight, all of it may need no gradient from here on, or a part."""
    call.freeze(call.roles(call.me, "model"), None)
    return NONE


def thawed(call: Call) -> Value:
    call.freeze(call.roles(call.me, "model"), False)
    return NONE


def drawn(call: Call) -> Value:
    """`layer.reset_parameters()`, `torch.nn.init.normal_(weight)`: weights are initialized."""
    call.redrawn(call.me or call.get(0, "tensor"))
    return call.pure()


_OF_MODULES = [
    "buffers", "extra_repr", "get_parameter", "get_submodule", "named_buffers", "register_forward_hook",
    "register_full_backward_hook",
]  # fmt: skip
_BY_CONVENTION = [
    "count_parameters", "init_hidden", "load", "named_params", "save", "set_epoch", "size", "summary", "to_json",
]  # fmt: skip
"""What people call the methods of their own modules."""
_DRAWS = ["init_weights", "initialize", "reset_parameters", "reset_weights", "weights_init"]

PARTS = dict.fromkeys(("bn1", "features", "layer1", "layer2", "layer3", "layer4"), body)
METHODS: Mapping[tuple[str, str], Row] = {
    **{("model", name): plain for name in (*_OF_MODULES, *_BY_CONVENTION)},
    **{("model", name): drawn for name in _DRAWS},
    **{("model", name): parts for name in ("children", "modules", "named_children", "named_modules")},
    **{("model", name): grown for name in ("append", "extend", "insert")},
    **{("model", name): added for name in ("add_module", "register_module")},
    ("model", "freeze"): frozen,
    ("model", "unfreeze"): thawed,
    ("model", "register_buffer"): register,
    ("model", "register_parameter"): register,
}
ASSUMED = {"freeze": "model"}
_NETWORKS = (
    r"(?!.*(Tokenizer|Processor|Config|FeatureExtractor|Pipeline|Retriever"
    r"|\b(ORT|OV|Neuron|IPEX|INC)(Model|StableDiffusion|Latent)|\bllama_cpp\.)).*"
)

FAMILIES: list[tuple[str, Row]] = [
    (r"torch\.nn\.(modules\.\w+\.)?\w*Loss$", criterion),
    (r"[\w.]+Loss\(\)\.(to|cuda|cpu|half|bfloat16|float|double|type|train|eval|requires_grad_)$", same_criterion),
    (r"torch\.nn\.(modules\.\w+\.)?(Sequential|ModuleList|ModuleDict)$", container),
    (r"torch\.nn\.(modules\.\w+\.)?Transformer(En|De)coder$", stack),
    (r"torch\.nn\.(modules\.\w+\.)?Embedding(Bag)?\.from_pretrained$", vectors),
    (r"torch\.nn\.(?!functional|utils|init|parallel|Parameter|modules\.\w+\.Module)(modules\.\w+\.)?[A-Z]\w+$", layer),
    (r"(segmentation_models_pytorch|kornia)\.losses\.\w+$", criterion),
    (r"torch\.nn\.init\.\w+_$", drawn),
    (r"torch\.hub\.load$", from_hub),
    (r"torchvision\.models\.(feature_extraction\.create_feature_extractor|_utils\.IntermediateLayerGetter)$", Same()),
    (r"torchvision\.models\b(?!.*(_Weights|\bget_weight|\blist_models|\.transforms\b))", network),
    (r"segmentation_models_pytorch\.(?!utils|metrics|encoders|losses)", network),
    (_NETWORKS + r"\.from_pretrained$", pretrained),
    (_NETWORKS + r"\.from_config$", configured),
]
BASES: Mapping[str, str] = {
    **dict.fromkeys(("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"), "model"),
    **{f"torch.nn.modules.loss.{name}": "model" for name in ("_Loss", "_WeightedLoss")},  # a forward they leave to their heirs
}
DIFFERENTIABLE = {"kornia", "segmentation_models_pytorch", "torchvision"}
