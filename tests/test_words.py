"""What names say: the tokenizer, and whether data is held out."""

from __future__ import annotations

import pytest

from loopcheck.words import held_out, is_class_name, is_collected, is_unit_test, of_class_name, of_use, on_purpose, words


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("valLoader_2", "val loader 2"),
        ("validloader", "valid loader"),
        ("testset", "test set"),
        ("latest_batch", "latest batch"),
        ("contest", "contest"),
        ("DDPModel", "ddp model"),
        ("held_out_loss", "heldout loss"),
        ("heldOutLoss", "heldout loss"),
        ("HELD_OUT", "heldout"),
        ("hold-out", "holdout"),
        ("holdout_loss", "holdout loss"),
        ("held_output", "held output"),
        ("HELD_OUTPUT", "held output"),
        ("threshold_out", "threshold out"),
        ("f(held, out)", "f held out"),
        ("evaluateMonteCarlo", "evaluate montecarlo"),
        ("monte_carlo_step", "montecarlo step"),
        ("focalloss", "focal loss"),
        ("BCEWithLogitsLoss", "bce with logits loss"),
        ("lossless", "lossless"),
    ],
)
def test_words(name: str, said: str) -> None:
    assert words(name) == set(said.split())


@pytest.mark.parametrize(
    ("data", "function", "held"),
    [
        ("val_loader", "", True),
        ("val_loader", "train", True),  # the data says more than where it stands
        ("train_loader", "evaluate", False),
        ("loader", "evaluate", True),
        ("loader", "held_out_loss", True),
        ("loader", "holdoutLoss", True),
        ("loader", "run", False),
        ("train_loader if train else val_loader", "", False),
        ("zip(train_set, val_set)", "", False),
        ("get_iterator(dataset, training=False)", "run", True),
        ("get_iterator(dataset, is_train = False)", "train", True),
        ("get_iterator(dataset, training=True)", "evaluate", False),
        ("get_iterator(dataset, test=False)", "run", False),
        ("get_iterator(dataset, test=False)", "evaluate", True),
        ("get_iterator(train_set, train=False)", "", False),
        ("get_iterator(dataset, trainable=False)", "run", False),
        ("test_loader", "mc_dropout", False),
        ("loader", "evaluate_monte_carlo", False),
        ("calibrate_on(val_loader)", "", False),
        ("latest", "contest", False),
        ("predictions", "predict", False),  # what a model is applied by, not to
    ],
)
def test_held_out(data: str, function: str, held: bool) -> None:
    assert held_out(data, function) == held


@pytest.mark.parametrize(
    ("name", "meant"), [("mc_predict", True), ("MonteCarlo", True), ("recalibrate", True), ("adaptive", False)]
)
def test_on_purpose(name: str, meant: bool) -> None:
    assert on_purpose(name) == meant


@pytest.mark.parametrize(
    ("name", "is_class", "kind"),
    [
        ("timm.optim.AdamP", True, "optimizer"),
        ("get_cosine_schedule", False, None),
        ("CosineScheduler", True, "scheduler"),
        ("optimizer_cls", True, "optimizer"),
        ("G", False, None),
        ("ResNet18", True, "model"),
        ("Tokenizer", True, None),
    ],
)
def test_names_of_classes(name: str, is_class: bool, kind: str | None) -> None:
    assert (is_class_name(name), of_class_name(name)) == (is_class, kind)


@pytest.mark.parametrize(
    ("function", "file", "is_test"),
    [
        ("test_step", "tests/test_model.py", True),
        ("test_step", "model/tests.py", True),
        ("test_step", "train.py", False),
        ("_test_step", "train.py", True),
        ("evaluate", "model_test.py", True),
        ("evaluate", "test_model.py", False),
        ("test_step", "C:\\tests\\train.py", False),
    ],
)
def test_unit_tests(function: str, file: str, is_test: bool) -> None:
    assert is_unit_test(function, file) == is_test


@pytest.mark.parametrize(("file", "is_test"), [("agent.py", False), ("agent_test.py", True)])
def test_a_class_may_have_a_method_that_tries_its_network(file: str, is_test: bool) -> None:
    assert is_unit_test("_test_policy", file, method=True) == is_test


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("tests/test_encoder.py", True),
        ("src/test/models/test_encoder.py", True),
        ("test_encoder.py", False),
        ("tests/encoder.py", False),
        ("test/train/loops/deep/test_encoder.py", False),
        ("attest/test_net.py", False),
    ],
)
def test_what_pytest_collects(path: str, is_test: bool) -> None:
    assert is_collected(path) == is_test


@pytest.mark.parametrize(
    ("name", "done", "kind"),
    [
        ("scheduler", {"step"}, ("scheduler", "named")),
        ("epsilon_scheduler", {"step", "step="}, None),
        ("scheduler", {"step", "step=", "get_last_lr"}, ("scheduler", "used")),
        ("optimizer", {"step", "step=", "zero_grad"}, ("optimizer", "used")),
    ],
)
def test_what_an_object_is_by_its_use(name: str, done: set[str], kind: tuple[str, str] | None) -> None:
    """What torch's `step` gives back nobody binds: a schedule of which somebody does is another one, of what is explored, say."""
    assert of_use(name, done) == kind
