"""What becomes of outputs: listed with their graphs, handed to losses, cut from their graphs, each beside its right twin."""

from __future__ import annotations

import pytest
from twins import Twin, told

LISTS = """
class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 2)

    def forward(self, x):
        scores = self.body(x)
        return scores, scores.detach().abs()


net, both = nn.Linear(4, 2), Both()
optimizer = torch.optim.Adam([*net.parameters(), *both.parameters()])
kept = []
for x, y in LOADER:
    pair = both(x)
    early = net(2 * x)
    scores = net(x)
    optimizer.zero_grad()
    (nn.functional.mse_loss(scores, y) + nn.functional.mse_loss(pair[0], y)).backward({options})
    optimizer.step()
    shown = scores
    {then}
    kept.append({kept})
    {last}
{after}
"""
PLAIN = {"options": "", "then": "pass", "kept": "scores", "last": "pass", "after": "print(torch.cat(kept).mean())"}
BY_HAND = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
        self.last = {last}

    def forward(self, x):
        return self.last(self.body(x))


class Loss(nn.Module):
    def __init__(self, eps=1e-8):
        super().__init__()
        self.eps, self.log, self.flat = eps, nn.LogSoftmax(dim=1), nn.Flatten(1)

    def forward(self, scores, y):
        {computes}


def by_hand(scores, y):
    return -(y * torch.log(nn.functional.softmax(scores, dim=1) + 1e-8)).sum()


probabilities = nn.Softmax(dim=1)


def by_layer(scores, y):
    return -(y * torch.log(probabilities(scores) + 1e-8)).sum()


net, criterion = Net(), Loss()
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    loss = {criterion}({given}, y)
    optimizer.zero_grad()
    {learns}
    optimizer.step()
"""
HAND = {
    "criterion": "criterion",
    "last": "nn.Softmax(dim=1)",
    "computes": "return -(y * torch.log(nn.functional.softmax(scores, dim=1) + self.eps)).sum()",
    "given": "net(x)",
    "learns": "loss.backward()",
}
LOGITS = HAND | {"last": "nn.Identity()"}
BINARY = HAND | {
    "last": "nn.Sigmoid()",
    "computes": "return nn.functional.binary_cross_entropy(torch.sigmoid(scores).view(-1), y.view(-1))",
}
LISTED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.other = nn.Linear(4, 8), nn.Linear(8, 2)
        self.heads = nn.ModuleList([nn.Linear(8, 2) for _ in range(3)])
        self.resized, self.flat = nn.Upsample(scale_factor=2), nn.Sequential(nn.Linear(8, 2), {last}, nn.Flatten())

    def forward(self, x):
        x = torch.tanh(self.body(x))
        {outputs}


net = Net()
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    outputs = net(x)
    optimizer.zero_grad()
    {loss}.backward()
    optimizer.step()
"""
EACH = {
    "last": "nn.Softmax(dim=1)",
    "outputs": "return [torch.softmax(head(x), 1) for head in self.heads]",
    "loss": "sum(nn.functional.cross_entropy(each, y) for each in outputs)",
}
APPENDED = "outputs = []\n        for head in self.heads:\n            outputs.append({})\n        {}\n        return outputs"
ONE = EACH | {"loss": "nn.functional.cross_entropy(outputs, y)"}
RETURNS = """
net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())


def step(x, y):
    out = net(x)
    loss = nn.functional.mse_loss(out, y)
    rate = out.sign().bool().float().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return {returned}


total, kept = 0.0, []
for x, y in LOADER:
    {adds}
"""
RETURNED = {"returned": "loss", "adds": "total += step(x, y)"}
CHOSEN = """
class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 2)

    def forward(self, x):
        scores = self.body(x)
        return scores.softmax(1), scores


class Model:
    def __init__(self, kinds):
        self.net, self.shown, self.chosen = Both(), [], []
        for i, kind in enumerate(kinds):
            if kind == "shown":
                self.shown.append(i)
            elif kind == "loss":
                self.chosen.append(i)
        if len(self.chosen) == 0:
            self.chosen = self.shown
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def fit(self):
        for x, y in LOADER:
            outputs = self.net(x)
            if isinstance(outputs, torch.Tensor):
                outputs = [outputs]
            {choose}
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(outputs[0], y).backward()
            self.optimizer.step()


Model(["shown", "loss"]).fit()
"""

TWINS: dict[str, Twin] = {
    "outputs that a list of numbers chooses": (
        "softmax-before-cross-entropy",
        CHOSEN,
        {"choose": "outputs = [outputs[i] for i in self.chosen]"},
        {"choose": "pass"},
    ),
    "outputs that are listed with their graphs": ("graph-retained-in-metric", LISTS, PLAIN | {"kept": "scores.detach()"}, PLAIN),
    "probabilities that are listed, of which whole numbers have no graph": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"kept": "shown.softmax(1).cpu().long()"},
        PLAIN | {"kept": "torch.sigmoid(shown.softmax(1).cpu())"},
    ),
    "a list that something is taken out of": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"last": "del kept[:-5]"},
        PLAIN | {"last": "print(torch.cat(kept).argmax(1))"},
    ),
    "a list that is asked how long it is": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"then": "if len(kept) > 5: break"},
        PLAIN,
    ),
    "a list that a function out of sight is given": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"last": "shorten.of(kept)"},
        PLAIN,
    ),
    "what is computed of an output may have no graph": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"then": "shown = shown.sign().bool()", "kept": "shown"},
        PLAIN | {"then": "shown = shown.softmax(1)", "kept": "shown"},
    ),
    "a name that is bound in the midst of an expression": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"then": "print((shown := shown.sign().bool()).any())", "kept": "shown"},
        PLAIN | {"then": "print(shown.sign().bool().any())", "kept": "shown"},
    ),
    "one of two outputs has no graph": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"then": "first, shown = pair", "kept": "shown"},
        PLAIN,
    ),
    "the graph of what no backward has gone through": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"kept": "early", "after": "learn_from(kept)"},
        PLAIN | {"after": "learn_from(kept)"},
    ),
    "a graph that a backward is told to keep": (
        "graph-retained-in-metric",
        LISTS,
        PLAIN | {"options": "retain_graph=True"},
        PLAIN,
    ),
    "a function that hands back its loss": (
        "graph-retained-in-metric",
        RETURNS,
        RETURNED | {"returned": "loss.item()"},
        RETURNED,
    ),
    "a function that hands back a rate, which has no graph": (
        "graph-retained-in-metric",
        RETURNS,
        RETURNED | {"returned": "rate"},
        RETURNED | {"adds": "kept.append(step(x, y))"},
    ),
    "what a function hands back, by a name": (
        "graph-retained-in-metric",
        RETURNS,
        RETURNED | {"adds": "came = step(x, y); came = came.sign().bool(); total += came"},
        RETURNED | {"adds": "came = step(x, y); total += came"},
    ),
    "a list that losses are added to as lists": (
        "graph-retained-in-metric",
        RETURNS,
        RETURNED | {"adds": "loss = step(x, y); kept += [loss.item(), len(x)]"},
        RETURNED | {"adds": "loss = step(x, y); kept += [loss]"},
    ),
    "a softmax of probabilities, in a cross entropy by hand": ("softmax-before-cross-entropy", BY_HAND, LOGITS, HAND),
    "a softmax of probabilities, in a function": (
        "softmax-before-cross-entropy",
        BY_HAND,
        LOGITS | {"criterion": "by_hand"},
        HAND | {"criterion": "by_hand"},
    ),
    "a layer that is given probabilities, in a function": (
        "softmax-before-cross-entropy",
        BY_HAND,
        LOGITS | {"criterion": "by_layer"},
        HAND | {"criterion": "by_layer"},
    ),
    "a softmax of probabilities along another dimension": (
        "softmax-before-cross-entropy",
        BY_HAND,
        HAND | {"given": "torch.softmax(net.body(x), dim=0)"},
        HAND | {"given": "torch.softmax(net.body(x), dim=-1)"},
    ),
    "probabilities that a temperature makes logits of": (
        "softmax-before-cross-entropy",
        BY_HAND,
        HAND | {"given": "net(x) / 0.1"},
        HAND | {"given": "net(x).contiguous()"},
    ),
    "a softmax of probabilities that no loss is computed of": (
        "softmax-before-cross-entropy",
        BY_HAND,
        HAND | {"given": "net.body(x)", "learns": "loss.backward(); print(torch.log(torch.softmax(net(x), 1)).max(1).indices)"},
        HAND,
    ),
    "what is added to a probability for its logarithm, or makes something else of it": (
        "softmax-before-cross-entropy",
        BY_HAND,
        HAND | {"computes": "return -(y * torch.log(nn.functional.softmax(scores, dim=1) + 0.5)).sum()"},
        HAND | {"computes": "return -(y * torch.log(nn.functional.softmax(scores, dim=1).clamp(min=self.eps))).sum()"},
    ),
    "a log-softmax of probabilities, smoothed by hand": (
        "softmax-before-cross-entropy",
        BY_HAND,
        LOGITS | {"computes": "return -nn.functional.log_softmax(scores, dim=1).mul(y).sum()"},
        HAND | {"computes": "return -nn.functional.log_softmax(scores, dim=1).mul(y).sum()"},
    ),
    "a layer that takes the logarithm of a softmax of probabilities": (
        "softmax-before-cross-entropy",
        BY_HAND,
        LOGITS | {"computes": "return nn.functional.nll_loss(self.log(scores), y)"},
        HAND | {"computes": "return nn.functional.nll_loss(self.log(self.flat(scores)), y)"},
    ),
    "a sigmoid of probabilities": (
        "sigmoid-before-bce-with-logits",
        BY_HAND,
        BINARY | {"last": "nn.Tanh()"},
        BINARY,
    ),
    "a loss that is told whether it is given logits": (
        "sigmoid-before-bce-with-logits",
        BY_HAND,
        BINARY | {"computes": "return nn.functional.binary_cross_entropy(scores if self.eps else torch.sigmoid(scores), y)"},
        BINARY | {"computes": "return nn.functional.binary_cross_entropy(torch.sigmoid(scores) if self.eps else scores, y)"},
    ),
    "probabilities of several heads": (
        "softmax-before-cross-entropy",
        LISTED,
        EACH | {"outputs": "return [head(x) for head in self.heads]"},
        EACH,
    ),
    "probabilities of several heads, one by one": (
        "softmax-before-cross-entropy",
        LISTED,
        EACH | {"loss": "sum(nn.functional.nll_loss(torch.log(each), t) for each, t in zip(outputs, y))"},
        EACH | {"loss": "sum(nn.functional.cross_entropy(each, t) for each, t in zip(outputs, y))"},
    ),
    "targets that are zipped with probabilities": (
        "softmax-before-cross-entropy",
        LISTED,
        EACH | {"loss": "sum(nn.functional.cross_entropy(t, each) for each, t in zip(outputs, net.other(y)))"},
        EACH | {"loss": "nn.functional.cross_entropy(torch.cat(outputs), y)"},
    ),
    "a list that gets something else": (
        "softmax-before-cross-entropy",
        LISTED,
        EACH | {"outputs": APPENDED.format("torch.softmax(head(x), 1)", "outputs.append(self.other(x))")},
        EACH | {"outputs": APPENDED.format("torch.softmax(head(x), 1)", "pass")},
    ),
    "a list that gets something else when it is made": (
        "softmax-before-cross-entropy",
        LISTED,
        EACH
        | {
            "outputs": "each = [torch.softmax(head(x), 1) for head in self.heads]; each.append(self.other(x)); return each",
            "loss": "nn.functional.cross_entropy(outputs[-1], y)",
        },
        EACH | {"outputs": "each = [torch.softmax(head(x), 1) for head in self.heads]; return each"},
    ),
    "probabilities that are resized": (
        "softmax-before-cross-entropy",
        LISTED,
        ONE | {"outputs": "return torchvision.interpolate(torch.softmax(self.other(x), 1), scale_factor=2)"},
        ONE | {"outputs": "return nn.functional.interpolate(torch.softmax(self.other(x), 1), scale_factor=2)"},
    ),
    "probabilities that a layer resizes": (
        "softmax-before-cross-entropy",
        LISTED,
        ONE | {"outputs": "return self.resized(self.other(x))"},
        ONE | {"outputs": "return torch.squeeze(self.resized(torch.softmax(self.other(x), 1)))"},
    ),
    "a layer that ends in one that says where values stand": (
        "softmax-before-cross-entropy",
        LISTED,
        ONE | {"last": "nn.Tanh()", "outputs": "return self.flat(x)"},
        ONE | {"outputs": "return self.flat(x)", "loss": "nn.functional.cross_entropy(torch.t(outputs.clone()), y)"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
