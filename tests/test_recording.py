"""Whether a network of the project leaves a graph where it is evaluated: its forward may do without, or it is frozen."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

IMPORTS = """\
import torch
from networks import build
from torch import nn
from torch.utils.data import DataLoader


"""
EVALUATION = """\
def test(net, loader):
    net.eval()
    for x in loader:
        print(net(x).argmax(1))


def loader():
    return DataLoader(torch.randn(8, 4))


"""
MADE = "\n\ntest(Net(), loader())\n"


def told(program: str, evaluation: str = EVALUATION) -> bool:
    """Whether an evaluation of this program is told to build a graph."""
    text = IMPORTS + evaluation + program
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    return bool(check_source(text.encode(), "train.py", rules).findings)


def network(init: str, forward: str, more: str = "", given: str = "") -> str:
    """A program that evaluates a network of which these lines are written."""
    body = "\n".join(f"        {line}" for line in init.strip().splitlines())
    run = "\n".join(f"        {line}" for line in forward.strip().splitlines())
    return (
        f"class Net(nn.Module):\n    def __init__(self{given}):\n        super().__init__()\n{body}\n\n{more}"
        f"    def forward(self, x):\n{run}\n{MADE}"
    )


LAYER = "self.layer = nn.Linear(4, 4)"
INFERENCE = "    @torch.no_grad()\n    def infer(self, x):\n        return self.layer(x)\n\n"
FREEZE = "for p in self.model.parameters():\n    p.requires_grad = False"


def test_a_network_that_records_is_told() -> None:
    assert told(network(LAYER, "return self.layer(x)"))


@pytest.mark.parametrize("mode", ["torch.no_grad()", "torch.inference_mode()", "torch.set_grad_enabled(False)"])
def test_a_forward_in_whose_scope_all_is_done_records_nothing(mode: str) -> None:
    assert not told(network(LAYER, f"with {mode}:\n    return self.layer(x)"))


def test_a_decorator_is_such_a_scope() -> None:
    assert not told(network(LAYER, "return self.layer(x)").replace("    def forward", "    @torch.no_grad()\n    def forward"))


def test_a_part_under_no_grad_leaves_the_graph_of_the_rest() -> None:
    head = "\nself.head = nn.Linear(4, 2)"
    assert told(network(LAYER + head, "with torch.no_grad():\n    x = self.layer(x)\nreturn self.head(x)"))


@pytest.mark.parametrize(("flag", "records"), [("False", False), ("True", True)])
def test_a_flag_of_the_constructor_decides(flag: str, records: bool) -> None:
    init, given = f"{LAYER}\nself.trained = trained", f", trained={flag}"
    assert told(network(init, "with torch.set_grad_enabled(self.trained):\n    return self.layer(x)", given=given)) is records
    early = "if not self.trained:\n    return self.infer(x)\nreturn self.layer(x)"
    assert told(network(init, early, INFERENCE, given)) is records


def test_a_forward_may_ask_for_the_mode() -> None:
    assert not told(network(LAYER, "if self.training:\n    return self.layer(x)\nreturn self.infer(x)", INFERENCE))


@pytest.mark.parametrize(("head", "records"), [("", False), ("\nself.head = nn.Linear(4, 2)", True)])
def test_a_part_may_do_without(head: str, records: bool) -> None:
    encoder = network(LAYER, "with torch.no_grad():\n    return self.layer(x)").removesuffix(MADE).replace("Net", "Encoder")
    applied = "return self.head(self.encoder(x))" if head else "return self.encoder(x)"
    assert told(f"{encoder}\n\n{network(f'self.encoder = Encoder(){head}', applied)}") is records


@pytest.mark.parametrize("model", ["build('resnet')", "nn.Linear(4, 4)", "nn.Sequential(*list(build('resnet').children())[:-1])"])
@pytest.mark.parametrize(("head", "records"), [("", False), ("\nself.head = nn.Linear(4, 2)", True)])
def test_a_frozen_part_is_all_that_there_is(model: str, head: str, records: bool) -> None:
    applied = "return self.head(self.model(x))" if head else "return self.model(x).flatten(1)"
    assert told(network(f"self.model = {model}\n{FREEZE}{head}", applied)) is records


def test_what_is_looked_at_for_this_alone_stays_as_it_was() -> None:
    """The forward of the first network binds what it is asked for, and freezes what the second one has."""
    init = f"{LAYER}\nself.model = nn.Linear(4, 4)"
    forward = f"{FREEZE}\nwith torch.no_grad():\n    x = self.layer(x)\nreturn self.model(x)"
    program = network(init, forward).removesuffix(MADE)
    assert told(f"{program}\n\nnet = Net()\ntest(net, loader())\ntest(net.model, loader())\n")


MADE_ALIKE = """\
class Net(nn.Module):
    def __init__(self, trained={trained}):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        if not trained:
            for p in self.parameters():
                p.requires_grad = False

    def forward(self, x):
        return self.layer(x)


paths = {{name: name + ".pt" for name in open("names.txt")}}
nets = {nets}
for {names} in {over}:
    test({net}, loader())
"""


@pytest.mark.parametrize(
    ("nets", "names", "over"),
    [
        ("[Net() for path in paths]", "net", "nets"),
        ("[Net() for path in paths]", "i, net", "enumerate(nets)"),
        ("[Net() for path in paths]", "i", "range(len(nets))"),
        ("[Net() for path in paths]", "name, net", "zip(paths, nets)"),
        ("{name: Net() for name in paths}", "name, net", "nets.items()"),
        ("{name: Net() for name in paths}", "net", "nets.values()"),
        ("{name: Net() for name in paths}", "name", "paths"),
    ],
)
@pytest.mark.parametrize("trained", [False, True])
def test_of_models_that_are_made_alike_each_is_frozen(nets: str, names: str, over: str, trained: bool) -> None:
    net = "net" if "net" in names else f"nets[{names}]"
    assert told(MADE_ALIKE.format(trained=trained, nets=nets, names=names, over=over, net=net)) is trained


KEYED = """\
class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        {forces}return self.layer(x)


class Net(nn.Module):
    def __init__(self, model, key="default"):
        super().__init__()
        self.models = nn.ModuleDict()
        self.models[key] = model

    def forward(self, x, key="default"):
        return self.models[key](x)


test(Net(Energy()), loader())
"""


def test_forces_are_gradients_of_what_a_wrapper_holds_by_its_key() -> None:
    forces = "x.requires_grad_(True)\n        torch.autograd.grad(self.layer(x).sum(), x, create_graph=True)\n        "
    assert told(KEYED.format(forces=""))
    assert not told(KEYED.format(forces=forces))


@pytest.mark.parametrize(("layer", "records"), [("nn.Linear(512, 2)", True), ("nn.ReLU()", False)])
def test_a_frozen_network_that_is_given_a_new_layer_records_from_there(layer: str, records: bool) -> None:
    frozen = "net = build('resnet')\nfor p in net.parameters():\n    p.requires_grad = False\n"
    assert told(f"{frozen}net.fc = {layer}\ntest(net, loader())\n") is records
    assert not told(f"{frozen}net.fc = {layer}\nnet.requires_grad_(False)\ntest(net, loader())\n")


OF_MODELS = """\
class Ensemble:
    def __init__(self, names):
        self.nets = {{name: nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)) for name in names}}

    def evaluate(self, {x}):
        {outer}    for name in self.nets:
                print(self.nets[name](x))


names = open("names.txt").readlines()
ensemble = Ensemble(names)
ensemble.evaluate({given})
"""


def test_a_pass_over_models_is_none_over_data() -> None:
    assert not told(OF_MODELS.format(outer="if True:\n        ", x="x", given="torch.randn(8, 4)"), evaluation="")
    assert told(
        OF_MODELS.format(outer="for x in batches:\n        ", x="batches", given="DataLoader(torch.randn(8, 4))"), evaluation=""
    )


@pytest.mark.parametrize("applied", ["distance(a, b)", "distance.forward(a, b)"])
def test_what_has_no_parameters_records_nothing_of_data(applied: str) -> None:
    measure = f"def test(loader):\n    for a, b in loader:\n        print({applied}.mean().item())\n\n\n"
    assert not told(
        f"distance = nn.CosineSimilarity(dim=1)\n\n\n{measure}test(loader())\n".replace("loader()", "DataLoader(x)"), ""
    )
    learned = f"distance = nn.Bilinear(4, 4, 1)\n\n\n{measure}test(loader())\n"
    assert told(learned.replace("loader()", "DataLoader(x)"), "")


def test_one_of_many_networks_is_what_each_of_them_is() -> None:
    kinds = ("a", "b", "c", "d", "e", "f")
    chosen = "".join(f'    if kind == "{kind}":\n        return Net{kind}()\n' for kind in kinds)
    layer = "self.layer = nn.Sequential(nn.Linear(4, 1), nn.Dropout(0.5))"
    forces = "torch.autograd.grad(self.layer(x).sum(), x, create_graph=True)\nreturn self.layer(x)"

    def program(forward: str) -> str:
        networks = (network(layer, forward).removesuffix(MADE).replace("Net", f"Net{kind}") for kind in kinds)
        wrapper = network(
            "self.models = nn.ModuleDict()\nself.models['all'] = model", "return self.models['all'](x)", given=", model"
        )
        made = f"def build(kind):\n{chosen}    raise ValueError(kind)\n"
        return "\n\n".join([*networks, made, wrapper.removesuffix(MADE), "test(Net(build(open('kind').read())), loader())\n"])

    assert told(program("return self.layer(x)"))
    assert not told(program(forces))


CRITERION = """\
class Prototypes(nn.Module):
    def __init__(self):
        super().__init__()
        self.scores = nn.{layer}

    def forward(self, z, y):
        return -self.scores(z).gather(1, y[:, None]).mean()


def test(net, loader):
    criterion = Prototypes()
    net.eval()
    for x, y in loader:
        {under}
            z = net(x)
        print(criterion(z, y).item())


test(nn.Linear(4, 4), loader())
"""


@pytest.mark.parametrize(("layer", "records"), [("LogSoftmax(dim=1)", False), ("PReLU()", True), ("Linear(4, 4)", True)])
def test_a_loss_module_records_nothing_of_what_has_no_graph_unless_it_learns(layer: str, records: bool) -> None:
    made_without = CRITERION.format(layer=layer, under="with torch.no_grad():")
    assert told(made_without, EVALUATION[EVALUATION.index("def loader") :]) is records
    assert told(CRITERION.format(layer=layer, under="if True:"), EVALUATION[EVALUATION.index("def loader") :])


EPISODES = """\
class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, state):
        return self.layer(state)

    def scores(self, state):
        return self.layer(state).log_softmax(0)


def evaluate(agent, optimizer, env, episodes):
    for _ in range(episodes):
        scores, total = torch.zeros(2), 0.0
        for state, reward in env.play():
            {kept}
            total += reward
        loss = -scores[0] * total * agent(env.start())[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


agent = Agent()
evaluate(agent, torch.optim.SGD(agent.parameters(), lr=0.1), build("corridor"), 10)
"""


@pytest.mark.parametrize(
    ("kept", "walked"),
    [
        ("scores = agent(state)", True),
        ("scores = agent.scores(state)", True),
        ("scores = agent(state) * agent(-state)", True),
        ("scores = measure(agent(state), reward)", True),
        ("scores = scores + agent(state).detach()", False),
        ("total += agent(state)[0].item()", False),
    ],
)
def test_what_a_backward_behind_the_loop_goes_back_to_had_to_be_recorded(kept: str, walked: bool) -> None:
    assert told(f"from measures import measure\n\n\n{EPISODES.format(kept=kept)}", "") is not walked


HANDED_OVER = """\
import threading

import optuna
from elsewhere import Runner


def validate(model, loader):
    for x in loader:
        print(model(x).mean().item())


def fit(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
    {fitted}


def main(loader, val_loader):
    model = nn.Linear(4, 2)
    {handed}
"""


@pytest.mark.parametrize(
    ("handed", "known"),
    [
        ("validate(model, val_loader)", True),
        ("Runner(model, evaluate=validate).run()", False),
        ("Runner(model).on_end(validate, val_loader)", False),
        ("Runner(model).on_end(lambda: validate(model, val_loader))", False),
        ("threading.Thread(target=lambda: validate(model, val_loader)).start()", True),
    ],
)
def test_who_calls_back_what_trains_nothing_may_do_so_without_autograd(handed: str, known: bool) -> None:
    assert told(HANDED_OVER.format(fitted="pass", handed=f"fit(model, loader); {handed}"), "") is known


def test_who_calls_back_what_trains_does_not() -> None:
    handed = "optuna.create_study().optimize(lambda trial: fit(model, loader))"
    assert told(HANDED_OVER.format(fitted="validate(model, loader)", handed=handed), "")


OF_CLASS = """\
class Sampler:
    def __init__(self, path):
        self.model = nn.Linear(4, 2)
        self.optimizer = None

    def test(self, test_loader):
        self.model.eval()
        for x in test_loader:
            print(self.model(x).argmax(1))
"""
OF_FUNCTION = """\
def test(model: nn.Module, test_loader):
    model.eval()
    for x in test_loader:
        print(model(x).argmax(1))
"""


@pytest.mark.parametrize(
    ("mark", "known"), [("@HANDLERS.register", False), ("@HANDLERS.register('it')", False), ("@app.command()", True)]
)
@pytest.mark.parametrize("text", [OF_CLASS, OF_FUNCTION])
def test_what_others_find_in_a_registry_they_may_call_without_autograd(mark: str, known: bool, text: str) -> None:
    assert told(f"from elsewhere import HANDLERS, app\n\n\n{mark}\n{text}", "") is known


def test_but_not_what_trains() -> None:
    text = OF_CLASS.replace("= None", "= torch.optim.SGD(self.model.parameters(), lr=0.1)")
    assert told(f"from elsewhere import HANDLERS\n\n\n@HANDLERS.register\n{text}", "")
