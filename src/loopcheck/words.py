"""What names say by convention: every list of such words, once, for both judges.

Names alone are weak evidence: an annotation says better what an object is that was not made in sight, and what is done with it
does. What is only named like an optimizer makes a finding of low confidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import lru_cache

_COMPOUNDS = ("held out", "hold out", "monte carlo")
"""What is one word, however it is spelled: `held_out`, `HeldOut` and `heldout` are `heldout`."""

_WORDS = re.compile(
    "|".join(
        [
            *(f"(?i:{'[_-]?'.join(parts.split())})(?![a-z]|(?<=[A-Z])[A-Z])" for parts in _COMPOUNDS),
            r"(?:train|valid|val|test|eval|dev)(?=(?:data)?loaders?|set|dl|data|iter|gen|batch)",
            r"[mM]?I[oO]U|mAP(?![a-z])|(?<![a-zA-Z])[fF]1(?!\d)|(?<![a-zA-Z])(?i:top)_?[15](?!\d)",
            r"[A-Z]?[a-z]+?(?=loss(?:es)?(?![a-z]))",
            r"[A-Z]+(?![a-z])",
            r"[A-Z]?[a-z]+",
            r"\d+",
        ]
    )
)
_JOINT = re.compile(r"[_-]")
_FLAG_OFF = re.compile(r"\b(\w+)\s*=\s*False\b")

_ANNOTATED = [
    (re.compile(r"\b(torch\.)?optim\.(?!lr_scheduler)\w+|\bOptimizer\b|\b(Adam|AdamW|SGD|RMSprop)\b"), "optimizer"),
    (re.compile(r"GradScaler"), "scaler"),
    (re.compile(r"LRScheduler|lr_scheduler|ReduceLROnPlateau|\w+LR\b"), "scheduler"),
    (re.compile(r"\bModule\b|DistributedDataParallel|FullyShardedDataParallel|\b(DDP|FSDP)\b"), "model"),
    (re.compile(r"DataLoader"), "loader"),
    (re.compile(r"DistributedSampler"), "sampler"),
]
_HOLDS = re.compile(
    r"[\s'\"]*(\w+\.)*(list|tuple|dict|set|type|sequence|iterable|iterator|mapping|collection|callable|generator)\b\s*\[", re.I
)


@lru_cache(maxsize=8192)
def words(name: str) -> frozenset[str]:
    """The words of a name, in lower case: `valLoader_2` → val, loader, 2; `held_out_loss` → heldout, loss."""
    return frozenset(_JOINT.sub("", word).lower() for word in _WORDS.findall(name))


def held_out(data: str, function: str = "") -> bool:
    """Whether names say that this is data that is not trained on: those of the data, and where they are silent, the function's.

    data: what a loop runs over or a call is given, as written, and on further lines what its names stand for, the nearest
    first. function: what is called, or what the loop stands in.
    """
    if on_purpose(function) or (words(function) & TRAINING and "step" in words(function)):
        return False  # a training step learns from its batch, however often options of an evaluation have it sample
    for text in (*data.splitlines(), function):
        if on_purpose(text):
            return False
        if (told := _held_out(text)) is not None:
            return told
    return False


def draws(name: str) -> bool:
    """Whether a function's name says that it initializes weights, once more maybe: `init_weights`, `reset_parameters`."""
    said = words(name)
    return bool(said & INITIALIZES) and bool(said & (MODEL | _WEIGHTS))


INITIALIZES = frozenset({"init", "initialize", "reinit", "reinitialize", "reset"})
_WEIGHTS = frozenset({"layer", "layers", "param", "parameters", "params", "weight", "weights"})


def divides(parameters: Iterable[str]) -> bool:
    """Whether a loss is told what to divide itself by, by the names of the parameters that it is given."""
    return any(words(each) & DIVISORS for each in parameters)


def on_purpose(name: str) -> bool:
    """Whether a name says that dropout, batch statistics or gradients are wanted where nothing is trained."""
    return not words(name).isdisjoint(ON_PURPOSE)


def repeats(name: str) -> bool:
    """Whether a name says that an activation is meant to be applied twice, `double_softmax_cross_entropy`."""
    said = words(name)
    return not said.isdisjoint(("double", "twice")) and not said.isdisjoint(("softmax", "sigmoid"))


def adapts(name: str) -> bool:
    """Whether a name says that a network which is trained is fitted to what it is tested on, `forward_and_adapt`."""
    return not words(name).isdisjoint(ADAPTING)


def reports(name: str) -> bool:
    """Whether a name says that this tells of what was computed, `batch_stats`: it need not have a graph."""
    return not words(name).isdisjoint(("info", "infos", "log", "logs", "metrics", "stats", "statistics"))


def asks_for_weights(name: str) -> bool:
    """Whether an option says from where a network gets its weights, or whether it does."""
    return not words(name).isdisjoint(_KEPT_WEIGHTS)


def infers(name: str) -> bool:
    """Whether a function applies a model and trains nothing, by what it is called."""
    return not words(name).isdisjoint(("infer", "inference"))


def explains(name: str) -> bool:
    """Whether a class says that it asks what a network looks at, for which it needs the gradients of its inputs."""
    return not words(name).isdisjoint(EXPLAINING)


def acts(name: str) -> bool:
    """Whether a name says that actions are chosen in it, by a policy that may learn from them."""
    return not words(name).isdisjoint(ACTING)


def is_rank(name: str) -> bool:
    """Whether a name speaks of which process of several this is: `local_rank`, `is_main_process`."""
    said = words(name)
    return not said.isdisjoint(RANK) or any(said >= each for each in _RANKS)


def spares_averaging(name: str) -> bool:
    """Whether a name speaks of gradients that processes do not average: `no_sync`, `require_backward_grad_sync`."""
    said = words(name)
    return "nosync" in said or ("sync" in said and not said.isdisjoint(("ddp", "grad", "no")))


def clips(name: str) -> bool:
    """Whether a function limits gradients, by what it is called."""
    return not words(name).isdisjoint(("clip", "clipping", "clamp"))


def freezes(name: str) -> bool:
    """Whether a function says that what it is given may need no gradient from there on, `freeze_model`: all of it, where it names
    no single part, as `freeze_bn` does."""
    said = words(name)
    part = said - {"freeze", "freezes", "freezing", "frozen"}
    return part != said and (len(part) != 1 or not part.isdisjoint(MODEL | PARAMETERS | {"all", "weights"}))


def is_batch_norm(name: str) -> bool:
    """Whether a class of layers normalizes by its batch: `BatchNorm2d`."""
    return _BATCH_NORM.fullmatch(name) is not None


_BATCH_NORM = re.compile(r"(Lazy|Sync)?BatchNorm([123]d)?")


def is_unit_test(function: str, file: str, method: bool = False) -> bool:
    """Whether a function tests code and no model: it holds nothing out, whatever its name. method: of a class, which may have one
    that tries its network, `_test_policy`."""
    name = file.replace("\\", "/").rpartition("/")[2]
    return (
        (function.startswith("_test_") and not method)
        or (name.endswith("_test.py") and function not in ("module", "main", "test"))
        or (is_test(function) and name.startswith(("test_", "tests")))
    )


def is_test(function: str) -> bool:
    """Whether a function is called as a test is, `test_forward`: of code, where the data is invented, and else of a model."""
    return function.startswith("test_")


def is_collected(path: str) -> bool:
    """Whether pytest collects a file for its name and the folder that it is in: `tests/models/test_encoder.py`."""
    *folders, name = path.replace("\\", "/").split("/")
    return name.startswith("test_") and name.endswith(".py") and not {"test", "tests"}.isdisjoint(folders[-3:])


def _held_out(text: str) -> bool | None:
    """Whether it speaks of held-out data and not of training; None where it speaks of neither."""
    said = words(_FLAG_OFF.sub("", text))
    off = MODE_FLAGS.intersection(_FLAG_OFF.findall(text))
    if said & TRAINING:
        return False
    return True if said & HELD_OUT or off else None


def holds_some(annotation: str) -> bool:
    """Whether an annotation is of what holds or makes objects, a list say: that is none of them itself."""
    return _HOLDS.match(annotation) is not None


def of_annotation(annotation: str) -> str | None:
    """The kind of object that an annotation names."""
    return next((kind for pattern, kind in _ANNOTATED if pattern.search(annotation)), None)


def of_use(name: str, done: Set[str]) -> tuple[str, str] | None:
    """The kind of an object with its evidence, by what is done with it and how it is called; None where that says nothing."""
    named = words(name)
    if named & (NO_MODEL | CLASS):
        return None
    if done & {"unscale_"} or done >= {"scale", "step"} or done >= {"scale", "update"}:
        return "scaler", "used"
    if "set_epoch" in done and not done & {"dataset", "batch_size"}:
        return ("loader" if named & LOADER else "sampler"), "used"
    if "step" in done and done & {"get_last_lr", "get_lr"}:
        return "scheduler", "used"
    if "step" in done and done & {"zero_grad", "param_groups"} and not done & {"parameters", "reset"}:
        return "optimizer", "used"
    if done & {"parameters", "named_parameters"} or (
        done & {"eval", "train"} and done & {"()", "module", "zero_grad", "load_state_dict"}
    ):
        return "model", "used"
    if "()" in done and done & {"state_dict", "load_state_dict"} and not named & (SCHEDULER | OPTIMIZER | SCALER | LOADER):
        return "model", "used"  # nothing else that has a state is called
    if named & SCHEDULER and "step" in done:
        return ("scheduler", "named") if "step=" not in done else None  # one of torch's gives nothing back
    if named & SCALER and done & {"step", "scale"}:
        return "scaler", "named"
    if named & OPTIMIZER and done & {"step", "zero_grad", "param_groups"}:
        return "optimizer", "named"
    if named & MODEL and done & {"eval", "train", "state_dict", "()"}:
        return "model", "named"
    if named & LOADER and not named & OPTIONS:
        return "loader", "named"
    return None


SCHEDULER = frozenset({"scheduler", "sched", "schedule", "lr", "plateau", "schedulers"})
SCALER = frozenset({"scaler"})
CLASS = frozenset({"class", "cls"})
OPTIMIZER = frozenset({"optimizer", "optim", "opt", "optimiser", "optimizers"})
MODEL = frozenset({"model", "net", "network", "generator", "discriminator", "encoder", "decoder", "backbone", "critic"})
LOADER = frozenset({"loader", "dataloader", "dl", "dataloaders", "loaders"})
HELD_OUT = frozenset({
    "val", "valid", "validation", "validate", "validating", "eval", "evaluate", "evaluation", "test", "testing", "dev",
    "heldout", "holdout",
})  # fmt: skip
"""Words of data that is not trained on, and of what is done with it."""
INFERENCE = frozenset({
    "evals", "evaluating", "evaluator", "infer", "inference", "inferencer", "predict", "predicting", "prediction", "predictions",
    "predictor", "tests", "valids", "validator",
})  # fmt: skip
"""Words of what a model may be applied to held-out data by. They do not say that it is."""
PREDICTING = frozenset({"infer", "inference", "predict", "predictions"})
"""Words of what applies a network that has learned, and is neither a network that predicts nor a step of its training."""
COMMANDING = frozenset({"Fire"})
"""What makes each function of a file a command, where it is given none: python-fire."""
SWITCHES = frozenset({"use", "with", "enable", "enabled", "has", "add", "probability", "prob", "rate", "ratio"})
"""Words of options that say whether something is there at all, or how much of it: `use_dropout`, `dropout_rate`."""
NOISE = frozenset({"latent", "latents", "noise", "noises", "z"})
"""Words of what a generator makes samples of."""
DUMMIES = frozenset({"dummies", "dummy"})
"""Words of what a network is given to see that it runs."""
MADE_UP = frozenset({"arange", "empty", "full", "linspace", "normal", "ones", "rand", "randint", "randn", "zeros"})
"""Words in the names of functions that make data up, which a network is tried on."""
NOISE_MAKERS = frozenset({"normal", "rand", "randn"})
"""The names of those by which noise is drawn, whatever it is put together with: a generator makes samples of it."""
DRAWN = frozenset({"rand", "randint", "random", "uniform"})
"""What a number is drawn by, whole names of functions and of what they are in."""
TRAINING = frozenset({"train", "training", "trn"})
LEARNING = frozenset({"train", "learn", "backward", "backprop", "backpropagate", "optimize"})
"""Words in the names of code out of sight that may go backward from a loss that it is given."""
KEPT_FOR_LATER = frozenset({"hook", "register", "save"})
"""What is said of a backward that is yet to come: `save_for_backward`."""
MODE_FLAGS = frozenset({"train", "training", "is_train", "is_training"})
"""Parameters by which a function is told whether it trains, whole names."""
EVAL_FLAGS = frozenset({"is_eval", "is_evaluation", "is_test", "is_testing", "is_inference", "eval_mode", "inference_mode"})
"""Parameters by which a model is told that it does not train, whole names."""
ON_PURPOSE = frozenset({
    "mc", "montecarlo", "dropout", "adapt", "adaptation", "attack", "inversion", "calibrate", "recalibrate", "explain",
    "saliency", "bn",
})  # fmt: skip
"""Words of passes over held-out data that want dropout, batch statistics or gradients."""
ADAPTING = frozenset({"adapt", "adapts", "tta"})
"""Words of functions that fit a trained network to the data that it is tested on, in eval mode most often."""
ACTING = frozenset({"act", "action", "actions", "rollout", "rollouts", "episode", "episodes"})
"""Words of what a policy is applied in: what it says of its actions may be learned from later."""
EXPLAINING = frozenset({
    "attribution", "attributions", "explain", "explainer", "explanation", "explanations", "gradcam", "lrp", "saliency",
})  # fmt: skip
"""Words in the names of what explains a network by its gradients."""
PARSERS = frozenset({"ArgumentParser"})
"""What is made to ask for options: its texts are for people, `description="Attention Test"`, and name no data."""
OPTIONS = frozenset({"args", "kwargs", "config", "cfg", "options", "opts", "params", "settings"})
"""Words of what is handed to a constructor, `loader_args`, and is not yet what it makes."""
SETTINGS = OPTIONS | {"arguments", "conf", "flags", "hparams", "opt"}
"""Words of the options of a whole program."""
SHOWING = frozenset({
    "ToPILImage", "add_audio", "add_figure", "add_histogram", "add_image", "add_images", "add_scalar", "imsave", "imshow",
    "imwrite", "save_image", "save_images", "to_pil", "to_pil_image",
})  # fmt: skip
"""Functions and methods that show the numbers of a tensor, or keep them in a file, whole names."""
HARMLESS = frozenset({
    "log", "logger", "print", "save", "checkpoint", "ckpt", "ema", "summary", "watch", "plot", "writer", "wandb", "meter",
    "metrics", "rate", "warmup",
})  # fmt: skip
"""Words in the name of a function out of sight that promise not to touch gradients, modes or schedules; any one will do."""
HARMLESS_AROUND = frozenset({
    "amp", "app", "argument", "autocast", "automain", "bar", "benchmark", "cache", "capture", "cli", "command", "compile",
    "configurable", "deprecated", "device", "elapsed", "file", "fixture", "ingredient", "lock", "main", "mesh", "monitor",
    "open", "option", "options", "override", "pbar", "precision", "profile", "profiler", "progress", "rank", "record",
    "register", "rendezvous", "retry", "rng", "script", "seed", "session", "stopwatch", "stream", "suppress", "task", "time",
    "timed", "timeit", "timer", "timing", "tqdm", "trace", "typechecked", "warnings", "wraps",
})  # fmt: skip
"""Words in the name of a context manager or a decorator out of sight that promise to leave autograd as it is; any one will do."""
EPOCH_NAMES = ("epoch", "epoch_index")
"""What a counter of epochs that had no name may be called: the first that is free."""

UNCHANGING = frozenset({
    "print", "len", "float", "int", "str", "bool", "repr", "round", "range", "enumerate", "zip", "min", "max", "sum", "abs",
    "item", "detach", "cpu", "numpy", "tolist", "mean", "size", "format", "isinstance",
})  # fmt: skip
"""Functions that change nothing of what they are given, and methods that change nothing of their object, whole names."""
ITERATORS = frozenset({
    "enumerate", "tqdm", "trange", "iter", "list", "islice", "cycle", "zip", "track", "progress_bar", "log_every", "Progbar",
    "reversed",
})  # fmt: skip
"""Functions that hand on what their first argument yields, whole names."""
LAZY = (ITERATORS - {"list", "reversed"}) | {"map", "filter", "chain", "next"}
"""Functions that draw no element yet of what they are given, or only one, whole names."""
DIFFERENTIATING = frozenset({
    "adapt", "adaptation", "adversary", "adversarial", "attack", "attacker", "attacks", "fgsm", "perturb", "pgd",
})  # fmt: skip
"""Of what takes gradients where nothing is trained: to make inputs that fool a model, or to fit it to a task first."""
NOISY = frozenset({
    "mc", "monte", "carlo", "bayes", "bayesian", "stochastic", "uncertainty", "noise", "noisy", "aug", "augment", "corrupt",
    "perturb", "prenet",
})  # fmt: skip
"""Words of networks that drop on purpose whenever they are applied, as the prenet of Tacotron 2 does."""
MADE = frozenset({
    "optimizer", "optimizers", "optim", "optimiser", "opt", "scheduler", "sched", "loader", "dataloader", "loaders",
    "dataloaders",
})  # fmt: skip
"""Words in the name of a function out of sight that makes an object, and no tensor, of a model."""
ANEW = frozenset({
    "build", "builds", "clone", "construct", "copy", "create", "deepcopy", "define", "init", "initialize", "instantiate", "make",
    "new", "setup",
})  # fmt: skip
"""Words in the name of a function that makes another object with each call."""
REGISTERS = frozenset({"register", "registers", "registry"})
"""Of a decorator by which others find what they call."""
COUNTS = frozenset({"range", "trange"})
"""Functions that count the passes of a loop, whole names."""
COUNTERS = frozenset({"step", "steps", "iter", "iters", "iteration", "iterations", "idx", "index", "batch", "epoch", "updates"})
PROGRESS = frozenset({"ep", "epoch", "epochs", "it", "step", "steps", "iter", "iteration", "iterations", "itr", "niter"})
"""Words of the keys under which a checkpoint says how far training had come."""
BEGINNINGS = frozenset({"begin", "first", "last", "resume", "resumed", "start"})
"""Words with which such a name says where training goes on."""
RATE = frozenset({"lr", "lrs", "rate", "rates"})
_WARM = frozenset({"warmup", "warm"})
_RESTARTS = frozenset({"restart", "restarts"})


def warms(name: str) -> bool:
    """Whether a name says that it is of a warm-up."""
    return bool(words(name) & _WARM) and not words(name) & _RESTARTS


TEMPORARY = frozenset({"part", "partial", "temp", "temporary", "tmp"})
"""Words in the names of files that are there for a moment."""
RANK = frozenset({"rank", "ranks", "rank0", "rk", "master", "primary", "chief", "ordinal"})
_RANKS = (
    {"main", "process"},
    {"is", "main"},
    {"proc", "id"},
    {"process", "id"},
    {"process", "index"},
    {"process", "zero"},
    {"should", "save"},
)
DEVICES = frozenset({"gpu", "device", "dev", "cuda"})
"""Words in the names of a device's number, of which each process has its own: the first one's is 0."""
DISTRIBUTED = frozenset({"ddp", "dist", "distributed", "multi", "multiprocessing", "parallel", "world"})
"""Words of flags that say whether there are several processes."""
HARMLESS_FLAGS = DISTRIBUTED | {"amp", "best", "cuda", "fp16", "gpu", "gpus", "resume", "train", "training"}
"""Words of flags that are the same in all processes, or that let all of them through."""
_SAVED = {
    "optimizer": OPTIMIZER | {"opts"},
    "scheduler": SCHEDULER | {"schedules"},
    "scaler": SCALER | {"amp"},
}
"""Words of the keys under which a checkpoint has the states of objects, by the kind of object."""


def spoken_of(keys: Iterable[object]) -> list[str]:
    """The kinds of objects whose states are saved under these keys, as far as their words say."""
    said = words(" ".join(map(str, keys)))
    return [kind for kind, names in _SAVED.items() if not said.isdisjoint(names)]


PARAMETERS = frozenset({"param", "params", "parameter", "parameters", "group", "groups", "grouped", "list"})
TOOLS = frozenset({"tokenizer", "processor", "retriever", "session", "pipeline", "pipe"})
CRITERION = frozenset({"criterion", "crit", "loss", "losses"})
GAINS = {
    "acc",
    "accuracy",
    "auc",
    "auroc",
    "bleu",
    "dice",
    "f1",
    "iou",
    "kappa",
    "map",
    "miou",
    "ndcg",
    "precision",
    "psnr",
    "recall",
    "ssim",
    "top1",
    "top5",
}
"""What a metric is called that should rise."""
FALLING = {"error", "loss", "losses", "mae", "mse", "nll", "perplexity", "ppl", "rmse", "wer"}
"""What a metric is called that should fall."""
KINDS = {"class", "hasattr", "isinstance", "issubclass", "mode", "plateau", "policy", "type"}
"""What a test speaks of that asks what kind of object one of several is."""
MEANS = {"average", "fmean", "mean", "nanmean"}
"""Functions that take the mean of what they are given, whole names."""
DIVISORS = {"denom", "denominator", "divisor", "items", "normalization", "normalizer"}
"""Words of the parameter by which a loss is told what to divide itself by: tokens of a whole window, say."""
SAMPLES = {"batch", "bs", "bsz", "samples"}
"""Words of how many samples a batch has."""
SIZES = {"batch", "bs", "count", "k", "n", "num", "size", "weight"}
"""Words of the parameter by which a meter is told how many samples a number is of."""
_REVERSED = {"inv", "inverse", "minus", "neg", "negative", "negated", "reward", "sign"}
_METRIC = re.compile(r"(?:[\w.]+\.)?(\w+?)(?:\[[\"'](\w+)[\"']\])?(?:\[(?:0|-1)\])?(?:\.(?:item|mean|avg)(?:\(\))?)?")


_PENALTY = re.compile(r"weight_decay *= *[^,()]*(?:l2|penalty)", re.IGNORECASE)


def means_penalty(written: str) -> bool:
    """Whether the call that makes an optimizer says that its decay is an L2 penalty: `weight_decay=args.l2`."""
    return _PENALTY.search(written) is not None


def metric_of(written: str) -> str | None:
    """Whether an expression is called a `gain`, which should rise, or a `loss`; None where its name tells neither, or both."""
    found = _METRIC.fullmatch(written)
    said = words(found[2] or found[1]) if found else frozenset()
    if not found or said & _REVERSED:
        return None
    falling, rising = bool(said & FALLING) and "score" not in said, bool(said & GAINS)
    return None if falling == rising else "loss" if falling else "gain"


def metric_named(written: str, label: str) -> str | None:
    """What `metric_of` says of an expression; where that names nothing but a result, of what its value was called first."""
    neutral = written.replace("_", "").replace(".", "").isalnum() or _PART.fullmatch(written)
    tells = words(written) & (_REVERSED | FALLING | GAINS | {"score", "scores"})
    return metric_of(written) or (metric_of(label) if neutral and not tells else None)


_PART = re.compile(r"[\w.]+\[-?\d+\]")
LOSSES = CRITERION | {"criterions", "criteria", "objective", "objectives", "entropy", "crossentropy", "mse", "rmse", "bce", "nll"}
"""Words in the name of a function out of sight that computes a loss. Of an object they say less: there are entropy models."""
REGULARIZERS = frozenset({"penalty", "regularizer", "regularization", "reg", "gp"})
"""Words in the names of what a loss is added: it may take gradients of a network."""
NO_MODEL = TOOLS | CRITERION
"""Words in the names of what is called with data and is no network, or manages modes and gradients by itself."""
PREPARING = frozenset({"preprocess", "preprocessing", "transform", "transforms", "vocab", "vocabulary"})
"""Words in the names of what makes inputs of data, is kept in a file beside the network, and is none itself."""
MAKING = frozenset({
    "append", "build", "configure", "create", "init", "initialize", "load", "make", "prepare", "register", "reset", "save", "set",
    "setup", "update",
})  # fmt: skip
"""First words of the names of methods that make something of data or change what the model is: they do not apply it."""
APPLIED = frozenset(
    {
        "apply", "classify", "compute", "decode", "denoise", "embed", "embedding", "embeddings", "encode", "extract", "feature",
        "features", "forward", "generate", "infer", "inference", "logits", "loss", "losses", "predict", "prediction",
        "predictions", "reconstruct", "run", "sample", "score", "scores", "segment", "step", "test", "transcribe", "translate",
        "validate",
    }
)  # fmt: skip
"""Words in the names of methods by which a model is applied; of another one out of sight, nobody knows."""
NO_LAYER = OPTIMIZER | SCHEDULER | SCALER | LOADER | NO_MODEL | OPTIONS | PARAMETERS
"""What is called so is no layer, whoever has it."""
NO_FORWARD = OPTIMIZER | SCHEDULER | TOOLS | {"params", "parameters"}
"""Words in the names of methods by which a model is asked for something and not applied."""
MICRO = frozenset({"accum", "accumulation", "accumulate", "micro", "microbatch", "microbatches", "grad", "gradient", "acc"})
ONE_BATCH = frozenset({"batch", "forward", "minibatch", "step"})
"""Words of functions that are there for one batch: `train_batch`, `training_step`, and `forward`."""
GIVEN_WEIGHTS = frozenset({"checkpoint", "ckpt", "hub", "load", "pretrained", "pretrain", "restore"})
"""What a class that does not begin with random weights speaks of."""
OF_LEARNING = frozenset({
    "detach", "eval", "evaluate", "finetune", "fixed", "freeze", "frozen", "grad", "inference", "train", "trainable", "training",
    "tune", "unfreeze",
})  # fmt: skip
"""Words of code that says which of its layers learn, and in which mode."""
_KEPT_WEIGHTS = GIVEN_WEIGHTS | {
    "checkpoints", "ckpts", "finetune", "loaded", "path", "pt", "pth", "resume", "resumed", "weights",
}  # fmt: skip
"""Words of an option that says from which file a network gets its weights, or whether it does, and of such files."""
BEST = frozenset({"best"})
"""What is said of a name under which the best so far is kept."""
FILLS = frozenset({"load", "reload", "restore", "resume"})
"""Words of functions that a model is handed to for being filled with weights from elsewhere."""
EPOCHS = frozenset({"epoch", "epochs"})
UPDATES = frozenset({"steps", "updates"})
"""What is said of the steps of an optimizer, where the batches of a window are counted beside them."""
STEPPING = frozenset({"stepping", "batches"})
"""What is said of batches that end with a step: one of each window."""
PROCESSES = frozenset({"gpus", "processes", "world"})
OF_COUNTS = frozenset({
    "num", "n", "nb", "no", "max", "total", "train", "training", "number", "of", "warmup", "decay", "lr", "final", "cosine",
})  # fmt: skip
"""Words beside the unit in the name of a number of something."""

_CLASSES = [
    (re.compile(r"Adam|SGD|Optim|LAMB|Lamb|Lion|Ranger|RMSprop|Adafactor|LARS"), "optimizer"),
    (re.compile(r"Schedul|LR$|Warmup|Plateau"), "scheduler"),
    (re.compile(r"^GradScaler$"), "scaler"),
    (re.compile(r"DataLoader"), "loader"),
    (
        re.compile(
            r"(Net|Model|VAE|GAN|VGG|Transformer|Generator|Discriminator|Encoder|Decoder|Network|Classifier|Critic|Actor)(V?\d\w*)?$"
        ),
        "model",
    ),
]
WRAPPERS = frozenset({"DistributedDataParallel", "DDP", "DataParallel", "FSDP"})


_CALLED = [(OPTIMIZER, "optimizer"), (SCHEDULER, "scheduler"), (SCALER, "scaler"), (LOADER, "loader"), (MODEL, "model")]


def is_class_name(name: str) -> bool:
    """`ResNet18` is a class, and so is `optimizer_cls`; `G` is somebody's generator."""
    last = name.rpartition(".")[2]
    return bool(words(last) & CLASS) or (last[:1].isupper() and any(letter.islower() for letter in last))


@lru_cache(maxsize=4096)
def of_class_name(name: str) -> str | None:
    """The kind of object that a class out of sight makes, if its name says so."""
    last = name.rpartition(".")[2]
    if words(last) & CLASS:
        return next((kind for named, kind in _CALLED if words(last) & named), None)
    return next((kind for pattern, kind in _CLASSES if last[:1].isupper() and pattern.search(last)), None)
