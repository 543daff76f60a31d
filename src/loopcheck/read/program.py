"""A whole file: what runs when it is run, and the functions that nobody here calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import cached_property

import libcst as cst

from loopcheck.loop import Frame as CallFrame
from loopcheck.loop import Region, Role
from loopcheck.read import roles as kinds
from loopcheck.read.expressions import text
from loopcheck.read.link import link
from loopcheck.read.source import Source
from loopcheck.read.state import GRAD, key_of, names_of
from loopcheck.read.statements import Statements
from loopcheck.read.values import (
    NONE,
    Api,
    Choice,
    Class,
    Const,
    Frame,
    Function,
    Instance,
    Items,
    Object,
    Params,
    Partial,
    Scope,
    Super,
    Symbol,
    Tensor,
    Value,
    parts_of,
    role_of,
    roles_in,
    tensor_in,
)
from loopcheck.read.vocabulary import methods

_PLAIN_LAYER = re.compile(
    r"nn\.(Linear|Conv\w+|ReLU\w*|GELU|SiLU|Tanh|Sigmoid|LeakyReLU|ELU|Softmax|LogSoftmax|Sequential|ModuleList|ModuleDict|Flatten|Embedding\w*"
    r"|LayerNorm|GroupNorm|RMSNorm|MaxPool\w+|AvgPool\w+|Adaptive\w+|Identity|Module|Parameter|functional|init|LSTMCell|GRUCell|Upsample|Unflatten"
    r"|PixelShuffle|Hardtanh|Softplus|utils|Bilinear|ZeroPad\w+|ReflectionPad\w+|ConvTranspose\w+)\b"
)
_LAYER = re.compile(r"\bnn\.(\w+)")
_MODED = re.compile(r"Dropout|BatchNorm|InstanceNorm|dropout|batch_norm|nn\.(LSTM|GRU|RNN|Transformer\w*|MultiheadAttention)\b")
_TRAINS = re.compile(r"\.backward\(|\.step\(|zero_grad\(|GradScaler|\boptim\b")
_BASES = {
    "torch.nn.Module": "model",
    "torch.nn.modules.module.Module": "model",
    "torch.optim.Optimizer": "optimizer",
    "torch.optim.optimizer.Optimizer": "optimizer",
}
_LIBRARIES = {
    "abc", "argparse", "builtins", "collections", "copy", "csv", "cv2", "dataclasses", "datetime", "einops", "enum", "functools",
    "glob", "hydra", "io", "itertools", "json", "logging", "math", "matplotlib", "numpy", "omegaconf", "os", "pandas", "pathlib",
    "pickle", "PIL", "pprint", "random", "re", "scipy", "shutil", "sklearn", "string", "subprocess", "sys", "tensorboard",
    "tensorboardX", "tempfile", "time", "torch", "torchvision", "torchaudio", "tqdm", "types", "typing", "wandb", "warnings",
    "yaml", "rich", "contextlib", "torchinfo", "psutil",
}  # fmt: skip
"""Libraries that do nothing to gradients, modes or schedules but what the vocabulary says."""
_FRAMEWORK_BASES = re.compile(r"LightningModule|LightningDataModule|Callback|TrainerCallback|\bTrainer\b|Dataset|Function$")


def read(source: Source) -> list[Region]:
    """The program's entries, each a region: the file run as a script, and every function that nobody here calls."""
    return Reader(source).read()


class Reader(Statements):
    """Reads one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        super().__init__(Frame(source, "module"))

    def read(self) -> list[Region]:
        entries = [self._entry(lambda: self.execute(self.source.module))]
        pending = list(self._functions())
        while pending:
            mentioned = {name for _, function in pending for name in self._mentions(function)}
            heads = [each for each in pending if _name_of(each[1]) not in mentioned] or pending[:1]
            for cls, function in heads:
                if function.node not in self.reached:
                    entries.append(self._entry(lambda cls=cls, function=function: self._alone(cls, function)))
            pending = [each for each in pending if each not in heads and each[1].node not in self.reached]
        return [CallFrame(entry) for entry in entries]

    def _entry(self, run) -> Region:  # type: ignore[no-untyped-def]
        self.live = True
        self.called = 0
        region = self.block(run)
        self.live = True
        link(region)
        return region

    def _functions(self) -> list[tuple[Class | None, Function]]:
        found: list[tuple[Class | None, Function]] = []
        for value in list(self.store.values()):
            if isinstance(value, Function) and isinstance(value.node, cst.FunctionDef) and value.owner is None:
                found.append((None, value))
            elif isinstance(value, Class) and not self._managed(value):
                found += [(value, method) for method in value.methods.values()]
        return list({id(function.node): (cls, function) for cls, function in found}.values())

    def _managed(self, cls: Class) -> bool:
        return any(_FRAMEWORK_BASES.search(text(base.value)) for each in self.lineage(cls) for base in each.node.bases)

    def _mentions(self, function: Function) -> set[str]:
        own = _name_of(function)
        return {name for name in re.findall(r"(\w+)\s*\(", text(function.node.body)) if name != own}

    def _alone(self, cls: Class | None, function: Function) -> None:
        """A function that nobody here calls, with arguments that nothing is known of."""
        if cls is None:
            self.inline(function.node, function, (), {}, complete=False)
            return
        if not _TRAINS.search(text(cls.node)) and self.kind_of(cls) == "model":
            return
        instance = self.construct(cls.node, cls, (), {}, complete=False)
        if function.node not in self.reached:
            method = self.method_of(cls, _name_of(function), instance)
            if isinstance(method, Function):
                self.inline(function.node, method, (), {}, complete=False)

    # what the layers ask

    @cached_property
    def _uses(self) -> Mapping[str, Set[str]]:
        return kinds.uses(self.source.text)

    def uses_of(self, name: str) -> frozenset[str]:
        return frozenset(self._uses.get(name, ()))

    @cached_property
    def _options(self) -> Mapping[str, Const]:
        """The defaults of an argument parser's options, by their name."""
        found: dict[str, Const] = {}
        for names, rest in re.findall(r"add_argument\(\s*((?:[\"'][\w-]+[\"'],?\s*)+)(.*?)\)\s*$", self.source.text, re.M | re.S):
            name = re.findall(r"[\"'](-{0,2}[\w-]+)[\"']", names)[-1].lstrip("-").replace("-", "_")
            default = re.search(r"default\s*=\s*(-?[\d.]+(?:e-?\d+)?)\s*(?:,|$)", rest[:300])
            if default:
                found[name] = Const(float(default[1]))
        return found

    def default_of(self, name: str) -> Const | None:
        return self._options.get(name)

    def kind_of(self, cls: Class) -> str | None:
        for each in self.lineage(cls):
            for base in each.bases:
                if isinstance(base, Api) and base.name in _BASES:
                    return _BASES[base.name]
                if isinstance(base, (Api, Symbol)) and key_of(base).rpartition(".")[2] in ("Module", "PreTrainedModel"):
                    return "model"
                if isinstance(base, Api) and base.name.startswith("torch.optim.lr_scheduler."):
                    return "scheduler"
        return None

    def needs_grad(self, role: Role, records: bool | None) -> bool | None:
        if role.wholes & self.frozen:
            return None if records else records
        if records and (self._wants_gradients() or "volatile=True" in self.source.text):
            return None  # `volatile` was no_grad before torch 0.4
        return records

    def _wants_gradients(self) -> bool:
        """The function around asks for gradients of inputs."""
        node = self.active[-1] if self.active else None
        code = text(node) if node is not None else ""
        return (
            "autograd.grad" in code
            or "requires_grad_(True" in code
            or "requires_grad = True" in code
            or "requires_grad_()" in code
        )

    def moded(self, role: Role) -> bool | None:
        if "moded" in self.kept.get(role, {}):
            return bool(self.kept[role]["moded"])
        value = next((value for value in self.store.values() if isinstance(value, Instance) and value.role is role), None)
        return self._moded(value.cls, frozenset()) if value else None

    def _moded(self, cls: Class, seen: frozenset[str]) -> bool | None:
        """Whether a module of the project has layers that differ between the modes; None where some are out of sight."""
        code = "\n".join(text(each.node) for each in self.lineage(cls))
        if _MODED.search(code):
            return True
        layers = _LAYER.findall(code)
        own = set(re.findall(r"\b([A-Z]\w+)\(", code)) - set(layers) - seen - {cls.node.name.value}
        inner = [self.store.get((cls.frame, name)) for name in own]
        known = [self._moded(each, seen | own) for each in inner if isinstance(each, Class)]
        if any(known):
            return True
        plain = all(_PLAIN_LAYER.match(f"nn.{layer}") for layer in layers) and not _given_layers(code)
        return False if layers and plain and len(known) == len(own) and None not in known else None

    def construct(
        self, node: cst.CSTNode, cls: Class, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool = True
    ) -> Value:
        made = super().construct(node, cls, args, keywords, complete)
        if isinstance(made, Instance) and made.role is not None and made.role.kind == "model":
            layers = [
                value for (owner, _), value in self.store.items() if owner is made and isinstance(value, (Object, Instance))
            ]
            known = layers and all(
                self.kept.get(role, {}).get("vectors") is False for layer in layers if (role := role_of(layer))
            )
            self.kept[made.role] = {**self.kept.get(made.role, {}), "vectors": not known or "Parameter(" in text(cls.node)}
        return made

    def pure_forward(self, module: Instance) -> Value | None:
        code = "\n".join(text(cls.node) for cls in self.lineage(module.cls))
        layers = [
            layer
            for layer in _LAYER.findall(code)
            if layer not in ("Module", "functional", "utils") and not layer.endswith("Loss")
        ]
        own = set(re.findall(r"=\s*([A-Z]\w+)\(", code))
        return None if layers or own or "Parameter(" in code else self.method_of(module.cls, "forward", module)

    # libraries

    def external(
        self, node: cst.Call, name: str, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool
    ) -> Value:
        given = Items((*args, *keywords.values()))
        package, _, rest = name.partition(".")
        last = name.rpartition(".")[2]
        builtin = getattr(self, f"_builtin_{rest}", None) if package == "builtins" else None
        if builtin is not None:
            return builtin(node, args, keywords)  # type: ignore[no-any-return]
        if name in ("functools.partial", "partial") and args:
            return Partial(args[0], args[1:], tuple(keywords.items()))
        if name == "copy.deepcopy" and args and isinstance(args[0], (Object, Instance, Symbol)) and (role := role_of(args[0])):
            return Object(Role(role.kind, "", open=role.open, evidence=role.evidence))
        if name == "itertools.chain":
            parts = [part for part in parts_of(given) if isinstance(part, Params)]
            if parts:
                models = frozenset[Role]().union(*(part.models for part in parts))
                return Params(models, all(p.whole for p in parts), any(p.grouped for p in parts), any(p.open for p in parts))
        if re.match(r"torch\.nn\.(?!functional|utils|init|parallel|Parameter)(modules\.)?\w+", name) and "Loss" not in name:
            layer = Object(
                Role("model", ""), {"moded": bool(_MODED.search(f"nn.{last}")), "vectors": _has_vectors(last, keywords)}
            )
            inner = [value for value in parts_of(given) if isinstance(value, Object)]
            if last == "Sequential" or last == "ModuleList":
                others = [value for value in parts_of(given) if not isinstance(value, (Object, Items, Const))]
                plain = complete and not others and all(value.facts.get("moded") is False for value in inner)
                vectors = bool(others) or not complete or any(value.facts.get("vectors") is not False for value in inner)
                layer = Object(layer.role, {"moded": not plain, "vectors": vectors})
            for value in inner:
                value.role.part_of = layer.role
            self.emit("build", [layer.role], node, {"training": True})
            self.kept[layer.role] = layer.facts
            return layer
        if re.match(r"(torchvision\.models|timm\.create_model|segmentation_models_pytorch)\b", name):
            made = Object(Role("model", ""))
            self.kept[made.role] = {"moded": True}
            self.emit("build", [made.role], node, {"training": True})
            return made
        if last == "from_pretrained" or re.search(r"AutoModel\w*\.from_config", name):
            if "Tokenizer" in name or "Processor" in name or "Config" in name or "FeatureExtractor" in name:
                return self.symbol(f"{name}()")
            made = Object(Role("model", ""))
            self.emit("build", [made.role], node, {"training": False})
            return made
        if package in _LIBRARIES:
            if name.startswith("torch.") and last in (
                "tensor",
                "as_tensor",
                "from_numpy",
                "zeros_like",
                "ones_like",
                "isfinite",
                "isnan",
            ):
                return self.symbol(f"{name}({key_of(given)})", names_of(given) | self.frame.names)
            if name.startswith("torch.nn.") and last.endswith("Loss"):
                return Api(f"{name}()")
            tensor = tensor_in(given)
            if package == "torch" and tensor:
                return tensor
            return self.symbol(f"{name}({key_of(given)})", names_of(given) | self.frame.names)
        if name.endswith("()"):
            return tensor_in(given) or self.fresh("value")
        return self._named_constructor(node, name, given) or self.unseen(node, name, args, keywords)

    def _named_constructor(self, node: cst.Call, name: str, given: Items) -> Value | None:
        """An object of a class out of sight, whose name says what it is."""
        last = name.rpartition(".")[2]
        if not last[:1].isupper():
            return None
        of = tuple(dict.fromkeys(roles_in(given)))
        models = tuple(role for role in of if role.kind == "model")
        optimizers = tuple(role for role in of if role.kind == "optimizer")
        has_params = any(isinstance(part, Params) for part in parts_of(given))
        if re.search(r"Adam|SGD|Optim|LAMB|Lamb|Lion|Ranger|RMSprop|Adafactor|LARS", last) and (has_params or not of):
            role = Role("optimizer", "", models, open=not models, evidence="named")
            self.emit("build", [role], node, {})
            return Object(role)
        if re.search(r"Schedul|LR$|Warmup|Plateau", last) and optimizers:
            role = Role("scheduler", "", optimizers, evidence="named")
            return Object(role)
        if last in ("DistributedDataParallel", "DDP", "DataParallel", "FSDP") and models:
            return next((value for value in given.values if role_of(value) is not None), None)
        if last == "GradScaler":
            return Object(Role("scaler", ""))
        if re.search(r"DataLoader", last):
            return Object(Role("loader", "", open=True, evidence="named"))
        if re.search(
            r"(Net|Model|VAE|GAN|VGG|Transformer|Generator|Discriminator|Encoder|Decoder|Network|Classifier|Critic|Actor)(V?\d\w*)?$",
            last,
        ):
            return Object(Role("model", "", evidence="used"))
        return None

    # builtins

    def _builtin_getattr(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        if len(args) >= 2 and isinstance(args[1], Const):
            return self.attribute(args[0], str(args[1].value))
        return self.fresh("value")

    def _builtin_hasattr(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        if len(args) == 2 and isinstance(args[1], Const) and (role := role_of(args[0])) and role.evidence == "built":
            name = str(args[1].value)
            if (role.kind, name) in methods():
                return Const(role.kind != "model")
            return self.symbol(f"hasattr({role.name}, {name})")
        return self.symbol(f"hasattr({key_of(Items(args))})", names_of(Items(args)))

    def _builtin_isinstance(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        role = role_of(args[0]) if len(args) == 2 else None
        if role is not None and self.kept.get(role, {}).get("distributed") and "Distributed" in text(node.args[1].value):
            return Const(True)
        return self.symbol(f"isinstance({key_of(Items(args))})", names_of(Items(args)))

    def _builtin_super(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        me = self.frame.me
        owner = self.frame.owner
        if not isinstance(me, Instance) or owner is None:
            return Api("object()")
        return Super(me, next((base for base in owner.bases if isinstance(base, Class)), None))

    def _builtin_list(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        return args[0] if args and isinstance(args[0], (Params, Items, Tensor)) else Items(()) if not args else self.fresh("list")

    _builtin_tuple = _builtin_list

    def _builtin_dict(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        if not args and all(not key.startswith("*") for key in keywords):
            return Items(tuple(keywords.values()), tuple(keywords))
        return args[0] if args and isinstance(args[0], Items) else self.fresh("dict")

    def _builtin_filter(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        if len(args) == 2 and isinstance(args[1], Params):
            code = text(node.args[0].value)
            only_trainable = "requires_grad" in code
            return Params(args[1].models, args[1].whole and only_trainable, args[1].grouped or not only_trainable, args[1].open)
        return self.fresh("filtered")

    def _builtin_sum(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        return tensor_in(Items(args)) or self.fresh("sum")

    def _builtin_zip(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        if args and all(isinstance(arg, Items) and arg.keys is None for arg in args):
            columns = [arg.values for arg in args if isinstance(arg, Items)]
            return Items(tuple(Items(tuple(row)) for row in zip(*columns, strict=False)))
        return self.fresh("zip")

    def _builtin_enumerate(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        if args and isinstance(args[0], Items) and args[0].keys is None:
            return Items(tuple(Items((Const(index), value)) for index, value in enumerate(args[0].values)))
        return self.fresh("enumerate")

    def _builtin_next(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        return args[0] if args and isinstance(args[0], Params) else self.fresh("next")

    _builtin_iter = _builtin_next

    def _builtin_float(self, node: cst.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        return Const(float("inf")) if args and args[0] == Const("inf") else self.fresh("number")


def _given_layers(code: str) -> bool:
    """A module that is handed its layers: what they are is not in sight."""
    handed = re.findall(r"self\.(\w+)\s*=\s*(?:nn\.Module(?:List|Dict)\()?[a-z_]\w*\)?\s*$", code, re.M)
    return any(re.search(rf"self\.{name}\b(?:\[\w+\])?\(|in (?:enumerate\()?self\.{name}\b", code) for name in handed)


def _has_vectors(layer: str, keywords: Mapping[str, Value]) -> bool:
    """Whether a layer has one-dimensional parameters, biases or norms, which weight decay is not meant for."""
    if re.fullmatch(r"(Linear|Bilinear|Conv\w+)", layer):
        return keywords.get("bias") != Const(False)
    return not re.fullmatch(
        r"Embedding\w*|\w*(ReLU|ELU|GELU|Tanh|Sigmoid|Softmax|Pool\w*|Dropout\w*|Pad\w*)|SiLU|Flatten|Identity|Unflatten", layer
    )


def _name_of(function: Function) -> str:
    return function.node.name.value if isinstance(function.node, cst.FunctionDef) else "lambda"


_ = (NONE, Choice, Scope, GRAD)
