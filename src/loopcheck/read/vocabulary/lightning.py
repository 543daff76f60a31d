"""Lightning: the Trainer's loop, in which a LightningModule's hooks are called, and what a module does in manual optimization."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from loopcheck.read.domain.parts import role_of
from loopcheck.read.domain.values import NONE, Choice, Const, Instance, Items, Object, Symbol, Value
from loopcheck.read.vocabulary import Call, Look, Python, Row, Same, Scoped, constant, managed_backward, plain, take_over

_HOOKS = [
    "configure_callbacks", "configure_model", "configure_optimizers", "on_after_backward", "on_before_optimizer_step",
    "on_before_zero_grad", "on_fit_start", "on_test_epoch_end", "on_train_batch_end", "on_train_batch_start", "on_train_end",
    "on_train_epoch_end", "on_train_epoch_start", "on_train_start", "on_validation_epoch_end", "on_validation_epoch_start",
    "predict_step", "prepare_data", "setup", "test_step", "training_step", "validation_step",
]  # fmt: skip
"""What does nothing in a module that does not define it."""

CODE = """
import torch


class Trainer:
    def __init__(self, accumulate_grad_batches=1, gradient_clip_val=None, **kwargs):
        self.accumulate_grad_batches = accumulate_grad_batches
        self.gradient_clip_val = gradient_clip_val

    def fit(self, model, train_dataloaders=None, val_dataloaders=None, **kwargs):
        model.prepare_data()
        model.setup("fit")
        optimizer = model.configure_optimizers()
        model.configured = [optimizer]
        train_dataloaders = model.loaders_in(train_dataloaders)
        train_dataloaders = model.train_dataloader() if train_dataloaders is None else train_dataloaders
        val_dataloaders = model.val_dataloader() if val_dataloaders is None else val_dataloaders
        if not model.automatic_optimization:
            model.taken_over()
        model.on_fit_start()
        model.train()
        model.on_train_start()
        for epoch in range(max_epochs):
            model.train()
            train_dataloaders.sampler.set_epoch(epoch)
            model.on_train_epoch_start()
            for batch_idx, batch in enumerate(train_dataloaders):
                model.on_train_batch_start(batch, batch_idx)
                if model.automatic_optimization:
                    self.optimize(model, epoch, batch, batch_idx, batch_idx + 1 == len(train_dataloaders))
                else:
                    model.training_step(batch, batch_idx)
                model.on_train_batch_end(outputs, batch, batch_idx)
            self.validate(model, val_dataloaders)
            model.train()
            model.on_train_epoch_end()
            if model.automatic_optimization:
                for scheduler in model.stepped_each("epoch"):
                    if scheduler is not None:
                        model.lr_scheduler_step(scheduler)
                for plateau, metric in model.watched_each():
                    model.lr_scheduler_step(plateau, metric)
        model.on_train_end()

    def optimize(self, model, epoch, batch, batch_idx, is_last_batch):
        optimizer = model.optimizers()
        steps = self.accumulate_grad_batches

        def closure():
            loss = model.training_step(batch, batch_idx)
            if steps == 1 or batch_idx % steps == 0:
                model.on_before_zero_grad(optimizer)
                optimizer.zero_grad()
            if model.opaque(loss) or loss is not None:
                model.steps = steps
                model.backward(loss)
            model.on_after_backward()

        def last():
            closure()
            model.on_before_optimizer_step(optimizer)
            model.configure_gradient_clipping(optimizer, self.gradient_clip_val)

        if steps == 1 or (batch_idx + 1) % steps == 0 or is_last_batch:
            model.optimizer_step(epoch, batch_idx, optimizer, last)
            for scheduler in model.stepped_each("step"):
                if scheduler is not None:
                    model.lr_scheduler_step(scheduler)
        else:
            closure()

    def validate(self, model, val_dataloaders=None, **kwargs):
        model.eval()
        with torch.no_grad():
            model.on_validation_epoch_start()
            for batch_idx, batch in enumerate(val_dataloaders):
                model.validation_step(batch, batch_idx, dataloader_idx)
            model.on_validation_epoch_end()

    def test(self, model, test_dataloaders=None, **kwargs):
        model.eval()
        with torch.no_grad():
            for batch_idx, batch in enumerate(test_dataloaders):
                model.test_step(batch, batch_idx, dataloader_idx)
            model.on_test_epoch_end()

    def predict(self, model, predict_dataloaders=None, **kwargs):
        model.eval()
        with torch.no_grad():
            for batch_idx, batch in enumerate(predict_dataloaders):
                model.predict_step(batch, batch_idx, dataloader_idx)


class LightningModule(torch.nn.Module):
    automatic_optimization = True
    steps = 1

    @classmethod
    def load_from_checkpoint(cls, checkpoint_path, **kwargs):
        module = cls(**{**hyper_parameters, **kwargs})
        module.load_state_dict(torch.load(checkpoint_path)["state_dict"])
        return module

    def freeze(self):
        for parameter in self.parameters():
            parameter.requires_grad = False
        self.eval()

    def unfreeze(self):
        for parameter in self.parameters():
            parameter.requires_grad = True
        self.train()

    def backward(self, loss, *args):
        self.automatic_backward(loss, self.steps)

    def configure_gradient_clipping(self, optimizer, gradient_clip_val=None, gradient_clip_algorithm=None):
        if gradient_clip_val is not None:
            self.clip_gradients(optimizer, gradient_clip_val)

    def optimizer_step(self, epoch, batch_idx, optimizer, optimizer_closure):
        optimizer.step(optimizer_closure)

    def lr_scheduler_step(self, scheduler, *metric):
        scheduler.step(*metric)

    def __run__(self):
        trainer = Trainer()
        trainer.fit(self)
        trainer.test(self)
        trainer.predict(self)
""" + "".join(f"\n    def {hook}(self, *args): ...\n" for hook in _HOOKS)

_ANY = r"(\w+\.)*"
_LIGHTNING = r"(lightning|pytorch_lightning)\."
FAMILIES: list[tuple[str, Row]] = [
    (rf"{_ANY}LightningModule$", Python(CODE, "LightningModule")),
    (rf"{_LIGHTNING}{_ANY}Trainer(\.from_argparse_args)?$", Python(CODE, "Trainer")),
]


def optimizers(call: Call) -> Value:
    return _configured(call, "optimizer")


def lr_schedulers(call: Call) -> Value:
    return _configured(call, "scheduler")


def loaders_in(call: Call) -> Value:
    """The loaders that `fit` is handed; None of a data module in their place, `trainer.fit(model, data)`, which has its own."""
    given = call.get(0, "given") or NONE
    return NONE if isinstance(given, Instance) and given.role is None else given


def stepped_each(call: Call) -> Value:
    """The schedules that the loop steps in a unit, `step` or `epoch`: one that says none is stepped with the epochs.

    A plateau is told its metric out of sight, and what stands under a key that is not known may be a unit as well as anything.
    """
    found = _stepped(call.attribute(call.me or NONE, "configured"), call.get(0, "unit") or NONE)
    for each in found:
        call.keep(each, managed=True)
    return Items(tuple(found))


def watched_each(call: Call) -> Value:
    """The plateaus that the loop steps with the epochs, each with the metric of the name that it is to be told."""
    found = _watched(call, call.attribute(call.me or NONE, "configured"), NONE)
    for each, _ in found:
        call.keep(each, managed=True)
    return Items(tuple(map(Items, found)))


def _watched(call: Call, value: Value, monitor: Value) -> list[tuple[Value, Value]]:
    """The plateaus of what `configure_optimizers` returned, with what they are told; none that a test chooses."""
    match value, monitor:
        case Items(values, tuple() as keys), _:
            named = dict(zip(keys, values, strict=True))
            plain = named.get("frequency", Const(1)) == Const(1) and named.get("interval", Const("epoch")) == Const("epoch")
            inner = named.get("scheduler") or named.get("lr_scheduler") or NONE
            return _watched(call, inner, named.get("monitor", monitor)) if plain else []
        case Items(values), _:
            return [each for inner in values for each in _watched(call, inner, monitor)]
        case Object(role, facts), Const(str(name)) if role.kind == "scheduler" and facts.get("plateau") is True:
            return [(value, call.unknown("metric", name))]
        case _:
            return []


def _stepped(value: Value, unit: Value) -> list[Value]:
    """The schedules of what `configure_optimizers` returned that are stepped in a unit; None in place of one that a test leaves
    out."""
    match value:
        case Choice(test, then, other):
            arms = zip_longest(_stepped(then, unit), _stepped(other, unit), fillvalue=NONE)
            return [one if one == another else Choice(test, one, another) for one, another in arms]
        case Items(values, keys) if keys is not None:
            named = dict(zip(keys, values, strict=True))
            if "scheduler" not in named:
                return _stepped(Items(values), unit)
            known = all(isinstance(key, str) for key in keys) and named.get("frequency", Const(1)) == Const(1)
            same = known and named.get("interval", Const("epoch")) == unit
            return _stepped(named["scheduler"], Const("epoch")) if same else []
        case Items(values):
            return [each for inner in values for each in _stepped(inner, unit)]
        case Object(role, facts) if role.kind == "scheduler" and facts.get("plateau") is False and unit == Const("epoch"):
            return [value]
        case _:
            return []


def _configured(call: Call, kind: str) -> Value:
    """The one that `configure_optimizers` returned, or all of them in order."""
    found = _of_kind(call.attribute(call.me or NONE, "configured"), kind)
    if not found:
        return call.unknown(f"{kind}s")
    return found[0] if len(found) == 1 else Items(tuple(found))


def _of_kind(value: Value, kind: str) -> list[Value]:
    match value:
        case Choice(test, then, other):
            arms = _of_kind(then, kind), _of_kind(other, kind)
            return [Choice(test, *pair) for pair in zip(*arms, strict=True)] if len(arms[0]) == len(arms[1]) else []
        case Items(values):
            return [each for inner in values for each in _of_kind(inner, kind)]
        case _:
            role = role_of(value)
            return [value] if role and role.kind == kind else []


def backward(call: Call) -> Value:
    """`manual_backward(loss)`, and that of the loop, which is told how many batches it accumulates over."""
    return managed_backward(call, call.get(0, "loss"), call.get(1, "steps") or Const(1))


def opaque(call: Call) -> Value:
    """Whether nothing is known of what `training_step` returned: a loss, for the None that skips a batch is written out."""
    return Const(isinstance(call.get(0, "loss"), Symbol))


def taken_over(call: Call) -> Value:
    take_over(call, "lightning", [call.me or NONE], "self.manual_backward")
    return NONE


def clip_gradients(call: Call) -> Value:
    on = call.roles(call.get(0, "optimizer"), "optimizer")
    call.emit("clip", on, {"limits": True}, open=not on)
    return NONE


def save_hyperparameters(call: Call) -> Value:
    """All arguments of `__init__`, or those that are given."""
    given = next((value for value in call.args if not isinstance(value, Const)), None)
    call.keep(call.me, hparams=given or Items(tuple(call.variables.values()), tuple(call.variables)))
    return NONE


def hyperparameters(keeps: Mapping[str, object]) -> Value | None:
    return keeps.get("hparams")  # type: ignore[return-value]


def nothing(call: Call) -> Value:
    return NONE


_LOGGING = ["log", "log_dict", "print", "toggle_optimizer", "untoggle_optimizer"]
_DATA = ["train_dataloader", "val_dataloader", "test_dataloader", "predict_dataloader", "transfer_batch_to_device"]

METHODS: Mapping[tuple[str, str], Row] = {
    **{("model", name): nothing for name in _LOGGING},
    **{("model", name): plain for name in _DATA},
    ("model", "optimizers"): optimizers,
    ("model", "lr_schedulers"): lr_schedulers,
    ("model", "loaders_in"): loaders_in,
    ("model", "stepped_each"): stepped_each,
    ("model", "watched_each"): watched_each,
    ("model", "taken_over"): taken_over,
    ("model", "opaque"): opaque,
    ("model", "automatic_backward"): backward,
    ("model", "manual_backward"): backward,
    ("model", "clip_gradients"): clip_gradients,
    ("model", "save_hyperparameters"): save_hyperparameters,
    ("model", "toggled_optimizer"): Scoped(),
    ("model", "all_gather"): Same(),
    ("optimizer", "toggle_model"): Scoped(),
}
ATTRIBUTES: Mapping[tuple[str, str], str | Look] = {
    ("model", "hparams"): hyperparameters,
    **{("model", name): constant for name in ("current_epoch", "global_step", "logger", "trainer")},
    ("optimizer", "optimizer"): "optimizer",
}
