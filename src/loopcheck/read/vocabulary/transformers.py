"""Hugging Face transformers: its optimizers, its schedules, which are torch's LambdaLR, its models' methods, and its Trainer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from loopcheck.loop import Fact
from loopcheck.read.domain.values import NONE, Value
from loopcheck.read.vocabulary import Builds, Call, Python, Row, Same, plain, worth
from loopcheck.read.vocabulary.architectures import differs
from loopcheck.read.vocabulary.checkpoints import exported
from loopcheck.read.vocabulary.optimizers import optimizer
from loopcheck.read.vocabulary.torch import length, scheduler_keeps

CODE = """
import torch


class Trainer:
    def __init__(self, model=None, args=None, *others, **options):
        self.model = model
        self.model.in_trainer()
        self.args = args
        kept(others, options)

    def train(self, *args, **kwargs):
        self.create_optimizer_and_scheduler(num_training_steps)
        train_dataloader = self.get_train_dataloader()
        for epoch in range(num_train_epochs):
            for inputs in train_dataloader:
                self.training_step(self.model, inputs, num_items_in_batch)
            self.evaluate()
        optimized(self.model, self.optimizer)

    def create_optimizer_and_scheduler(self, num_training_steps):
        self.create_optimizer()
        self.create_scheduler(num_training_steps, self.optimizer)

    def create_optimizer(self):
        self.optimizer = default_optimizer()

    def create_scheduler(self, num_training_steps, optimizer=None):
        self.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, default_schedule())

    def get_train_dataloader(self):
        return default_loader()

    def get_eval_dataloader(self, eval_dataset=None):
        return default_loader()

    def training_step(self, model, inputs, *args):
        model.train()
        loss = self.compute_loss(model, inputs)
        model.automatic_backward(loss, accumulation_steps)
        return loss.detach()

    def compute_loss(self, model, inputs, return_outputs=False, *args):
        return model(**inputs)

    def evaluate(self, eval_dataset=None, *args, **kwargs):
        self.evaluation_loop(self.get_eval_dataloader(eval_dataset), description)

    def predict(self, test_dataset, *args, **kwargs):
        self.evaluation_loop(default_loader(), description)

    def evaluation_loop(self, dataloader, description, *args, **kwargs):
        self.model.eval()
        with torch.no_grad():
            for inputs in eval_dataloader:
                self.prediction_step(self.model, inputs, prediction_loss_only)

    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        self.compute_loss(model, inputs)

    def log(self, *args):
        pass

    def add_callback(self, callback):
        pass

    def remove_callback(self, callback):
        pass

    def init_hf_repo(self, *args):
        pass

    def store_flos(self):
        pass

    def save_model(self, *args, **kwargs):
        pass

    def save_state(self):
        pass

    def is_local_process_zero(self):
        return is_main_process()

    def is_world_process_zero(self):
        return is_main_process()

    def __run__(self):
        self.train()
        self.predict(test_dataset)
"""
TRAINER = Python(CODE, "Trainer")

NETWORKS = """
import torch


class PreTrainedModel(torch.nn.Module):
    def __init__(self, config, *args, **kwargs):
        super().__init__()
        self.config = config

    def init_weights(self, *args): ...

    def post_init(self, *args): ...

    @classmethod
    def from_pretrained(cls, path, *args, config=None, **kwargs):
        network = cls(configuration, *args)
        network.load_state_dict(torch.load(path))
        network.eval()
        return network
"""
"""A network of the project's own, made of one of theirs, comes in eval mode as these do."""
GENERATE = """
import torch


@torch.no_grad()
def generate(model, *args, **kwargs):
    return model(*args, **kwargs)
"""

_PACKAGES = ["transformers", "transformers.optimization", "pytorch_transformers", "pytorch_pretrained_bert.optimization"]


def schedule_of(at: int, told: int = 2) -> Row:
    """What makes a schedule, given the optimizer at this position, and `told` places after it the length."""
    return Builds("scheduler", ((at, "optimizer"),), partial(_length, at + told), scheduler_keeps)


def _length(at: int, call: Call) -> Mapping[str, Fact | None]:
    """What the length counts; a constant rate has none, whatever it is told."""
    given = call.get(at, "num_training_steps")
    constant = "constant" in str(worth(call.get(0, "name")))
    return {} if given is None or constant else {"length": length(call, given, at, "num_training_steps")}


def held(call: Call) -> Value:
    """A Trainer has the model, and joins the group of the processes that the program is started as, if these are several."""
    call.keep(call.me, trainer=call.functions)
    return NONE


def adapted(call: Call) -> Value:
    """The model with adapters, which alone are trained: they are matrices, and its norms and biases stay as they are."""
    call.keep(call.get(0, "model"), vectors=False)
    return Same()(call)


def configuration(call: Call) -> Value:
    """`BertConfig(hidden_dropout_prob=0.0)` holds what it is told, and else what its architecture has."""
    made = call.pure()
    unseen = {} if call.complete else {"dropout": call.unknown("dropout")}
    for name, value in {**call.keywords, **unseen}.items():
        call.bind(made, name, value)
    return made


def constructed(call: Call) -> Value:
    """`BertModel(config)`: random weights, in train mode as any, and its architecture's dropout unless a configuration is told
    of another one."""
    config = call.get(0, "config")
    usual = config is not None and not any(call.holds(config, name) for name in _DROPOUTS)
    return call.build("model", (), {"training": True}, {"moded": True} if usual and differs(f"{call.name}.", None) else {})


_DROPOUTS = [
    "activation_dropout", "attention_dropout", "attention_probs_dropout_prob", "attn_pdrop", "classifier_dropout", "dropout",
    "drop_path_rate", "dropout_rate", "embd_pdrop", "feat_proj_dropout", "hidden_dropout", "hidden_dropout_prob", "resid_pdrop",
    "seq_classif_dropout",
]  # fmt: skip
"""What configurations call the shares of what is dropped."""
FUNCTIONS: Mapping[str, Row] = {
    **{f"{package}.{name}": optimizer for package in _PACKAGES for name in ("AdamW", "Adafactor")},
    "transformers.optimization.TYPE_TO_SCHEDULER_FUNCTION.*": schedule_of(0),
    "peft.get_peft_model": adapted,
    "peft.prepare_model_for_kbit_training": Same(),
    **dict.fromkeys(("transformers.trainer_callback.CallbackHandler", "transformers.trainer.CallbackHandler"), plain),
}
FAMILIES: list[tuple[str, Row]] = [
    (r"transformers\.(optimization\.)?get_scheduler$", schedule_of(1)),
    (r"transformers\.(optimization\.)?(get_\w+_schedule(_\w+)?|AdafactorSchedule)$", schedule_of(0)),
    (r"(pytorch_transformers|pytorch_pretrained_bert)\.(optimization\.)?(\w+Schedule|get_\w+_schedule(_\w+)?)$", schedule_of(0)),
    (r"transformers\.(\w+\.)*(Seq2Seq)?Trainer$", TRAINER),
    (r"(pytorch_)?transformers\.(\w+\.)*\w*Pre[Tt]rainedModel$", Python(NETWORKS, "PreTrainedModel")),
    (r"(pytorch_)?transformers\.(\w+\.)*(?!TF|Flax|DataCollator)[A-Z]\w*(Model|For[A-Z]\w+)$", constructed),
    (r"(pytorch_)?transformers\.(\w+\.)*\w+Config(\.from_pretrained)?$", configuration),
]

_OF_MODELS = [
    "get_input_embeddings", "gradient_checkpointing_disable", "gradient_checkpointing_enable", "num_parameters",
    "print_trainable_parameters", "push_to_hub", "resize_token_embeddings", "tie_weights",
]  # fmt: skip

METHODS: Mapping[tuple[str, str], Row] = {
    **{("model", name): plain for name in _OF_MODELS},
    ("model", "in_trainer"): held,
    ("model", "save_pretrained"): exported,
    ("model", "generate"): Python(GENERATE, "generate"),
}
