"""What outputs, counters and results were computed of, each beside its twin that is right."""

from __future__ import annotations

from textwrap import indent

import pytest
from twins import Twin, told

CLASSES = """
class Net(nn.Module):
    def __init__(self, ends=True):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.act = {act}

    def forward(self, x):
        {ends}


net = Net()
optimizer = torch.optim.Adam(net.parameters())
criterion = {criterion}
{before}
for x, y in LOADER:
    out = net(x)
    {then}
    loss = criterion({given}, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
PLAIN = {
    "act": "nn.Softmax(dim=1) if ends else None",
    "ends": "return self.fc(x)",
    "before": "pass",
    "then": "pass",
    "given": "out",
    "criterion": "nn.CrossEntropyLoss()",
}
ENTRY = {"ends": 'return {"logits": torch.softmax(self.fc(x), 1), "seen": x}', "given": 'out["logits"]'}
BRANCH = {"ends": "x = self.fc(x)\n        if self.act is not None:\n            x = self.act(x)\n        return x"}
SOFT = "x = torch.softmax(self.fc(x), 1)"
ARMS = """\
if x.sum() > 0:
            {}
        else:
            x = self.fc(x).softmax(1)
        return x"""
LIST = "outs = [torch.softmax(self.fc(each), 1) for each in x.chunk(2)]\n        "
STEPS = """\
outs = {begun}
        for each in x.chunk(2):
            step = self.fc(each){reads}
            outs.append({step})
        {changed}
        return torch.cat(outs)"""
STEP = {"begun": "[]", "step": "torch.softmax(step, 1)", "changed": "pass", "reads": ""}
FILLED = """\
out = {{"seen": x}}
        out["logits"] = torch.softmax(self.fc(x), 1)
        {then}
        return out"""
TOGETHER = """\
y = torch.softmax(self.fc(x), 1)
        y = torch.cat([y, y])
        y = torch.stack([y, y])
        return {}"""
OTHERWISE = """\
out = {{}}
        out["logits"] = self.fc(x)
        {}out["logits"] = torch.softmax(self.fc(x), 1)
        return out"""
NLL = {"criterion": "nn.NLLLoss()", "given": "torch.clamp(torch.softmax(out, 1), 1e-7, 1)"}

HEAD = """\
{ends}

    def head(self, x):
        {inner}"""
TWO = {"ends": "scores, seen = self.head(x)\n        return scores, seen", "inner": "return torch.softmax(self.fc(x), 1), x"}


def _parted(wrong: dict[str, str], **right: str) -> Twin:
    """A network that hands on two values of a method of its own, in which something is different where it is right."""
    good, bad = ({"ends": HEAD.format(**(TWO | each)), "given": "out[0]"} for each in (wrong | right, wrong))
    return _outputs(good, bad)


def _outputs(right: dict[str, str], wrong: dict[str, str], rule: str = "softmax-before-cross-entropy") -> Twin:
    """A program whose network is written in a way that is right, and in one that is not."""
    return rule, CLASSES, PLAIN | right, PLAIN | wrong


def _arms(right: str, wrong: str = SOFT) -> Twin:
    """A network with two arms, of which one is different where it is right."""
    one, other = (ARMS.format(indent(arm, " " * 12).strip()) for arm in (right, wrong))
    return _outputs({"ends": one}, {"ends": other})


def _arm(inner: str) -> str:
    """A branch that stands in an arm, with this in an arm of its own."""
    return f"if x.max() > 1:\n{indent(inner, '    ')}\nelse:\n    {SOFT}"


def _steps(**right: str) -> Twin:
    """A network that puts together what it has listed, in which something is different where it is right."""
    return _outputs({"ends": STEPS.format(**(STEP | right))}, {"ends": STEPS.format(**STEP)})


def _filled(then: str) -> Twin:
    """A network that fills a dictionary, to which something else happens where it is right."""
    given = {"given": 'out["logits"]'}
    return _outputs(given | {"ends": FILLED.format(then=then)}, given | {"ends": FILLED.format(then='out["more"] = x')})


COUNTED = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
size = argparse.ArgumentParser().parse_args().size
seen, begun, optimizer = 0, 0, torch.optim.SGD(net.parameters(), lr=0.1)
for {over}:
    x, y = torch.randn(2, 4), torch.randn(2, 2)
    loss = nn.functional.mse_loss(net(x), y)
    {loss}.backward()
    seen += {by}
    begun += 1
    {test}:
        optimizer.step()
        optimizer.zero_grad()
        {back} = 0
"""
COUNT = {"over": "step in range(100)", "loss": "loss", "by": "1", "test": "if seen == size", "back": "seen"}


def _counted(right: dict[str, str], wrong: dict[str, str]) -> Twin:
    """A loop that steps once a window that it counts by hand."""
    return "unscaled-accumulation-loss", COUNTED, COUNT | right, COUNT | wrong


CHUNKED = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
accum = argparse.ArgumentParser().parse_args().accum
for x, y in LOADER:
    optimizer.zero_grad()
    for {parts}:
        {loss}.backward()
        {each}
    optimizer.step()
"""
CHUNK = {
    "parts": "xb, yb in zip(x.chunk(accum), y.chunk(accum))",
    "loss": "nn.functional.mse_loss(net(xb), yb)",
    "each": "pass",
}


def _chunked(right: dict[str, str], wrong: dict[str, str]) -> Twin:
    """A batch that is gone through in parts."""
    return "unscaled-accumulation-loss", CHUNKED, CHUNK | right, CHUNK | wrong


MEASURED = """
def validate(net, loader):
    net.eval()
    right, least = 0, 0.0
    with torch.no_grad():
        for x, y in loader:
            right += (net(x).argmax(1) == y).sum().item()
            least += nn.functional.cross_entropy(net(x), y).item()
    accuracy = right / len(loader.dataset)
    loss = least / len(loader)
    return {returned}


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
for epoch in range(10):
    net.train()
    for x, y in LOADER:
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    result = validate(net, TEST_LOADER)
    {made} = result
    scheduler.step({told})
"""
RESULT = {"returned": "accuracy", "told": "result", "made": "best"}
WATCHED = """
import lightning


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def training_step(self, batch, at):
        x, y = batch
        return nn.functional.mse_loss(self.fc(x), y)

    def validation_step(self, batch, at):
        self.log("val_acc", self.fc(batch[0]).argmax(1).float().mean())

    {hook}

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.{plateau}(optimizer{mode})
        return {returned}


lightning.Trainer(max_epochs=3).fit(Net(), LOADER, TEST_LOADER)
"""
WATCH = {
    "hook": "pass",
    "plateau": "ReduceLROnPlateau",
    "mode": "",
    "returned": '[optimizer], [{"scheduler": scheduler, "monitor": "val_acc"}]',
}


RESUMED = """
def main(args):
    net = nn.Linear(4, 2)
    begin = 0
    {before}
    if args.resume:
        checkpoint = torch.load(args.resume)
        net.load_state_dict(checkpoint["net"])
        {asked} = checkpoint["epoch"]
    {made}
    {loaded}
    for epoch in range(begin, 10):
        {again}
        for x, y in LOADER:
            loss = nn.functional.mse_loss(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        torch.save({{"net": net.state_dict(), "epoch": epoch + 1, {saved}}}, args.out)


main(argparse.ArgumentParser().parse_args())
"""
RESUME = {
    "before": "pass",
    "asked": "begin",
    "made": "optimizer = torch.optim.Adam(net.parameters())",
    "loaded": "pass",
    "again": "pass",
    "saved": '"optimizer": optimizer.state_dict()',
}


def _resumed(right: dict[str, str], wrong: dict[str, str]) -> Twin:
    """A run that goes on from the weights in a file, with an optimizer that is made after these are loaded."""
    return "partial-restore", RESUMED, RESUME | right, RESUME | wrong


def _measured(right: dict[str, str], wrong: dict[str, str]) -> Twin:
    """A schedule that waits for what a function measures to fall."""
    return "plateau-mode-mismatch", MEASURED, RESULT | right, RESULT | wrong


def _watched(right: dict[str, str], wrong: dict[str, str]) -> Twin:
    """A schedule that a framework tells the metric of a name."""
    return "plateau-mode-mismatch", WATCHED, WATCH | right, WATCH | wrong


TWICE = """
def {named}(logits, targets):
    probabilities = nn.functional.softmax(logits.float(), dim=1)
    return -(targets * nn.functional.log_softmax(probabilities, dim=1)).sum(dim=1).mean()


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    {named}(net(x), y).backward()
    optimizer.step()
"""
LOOKED_AT = """
net = nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.1)).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
trusted = []
for epoch in range(4):
    if epoch == 2:
        net.eval()
        for x, y in LOADER:
            with {looked}:
                out = net(x.cuda())
            trusted.append((out.argmax(1) == y.cuda()).cpu())
    net.train()
    for x, y in LOADER:
        with {trained}:
            loss = nn.functional.mse_loss(net(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
OF_TIMM = """
from timm.loss import SoftTargetCrossEntropy


class Soft(nn.Module):
    def forward(self, out, target):
        loss = SoftTargetCrossEntropy()
        return loss({handed}, torch.softmax(target, dim=-1))


net, criterion = nn.Linear(4, 2), SoftTargetCrossEntropy()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    criterion({given}, y).backward()
    optimizer.step()
"""
HALF, WHOLE = 'torch.autocast("cuda")', "contextlib.nullcontext()"
TWINS: dict[str, Twin] = {
    **{
        f"a loss of timm, by its {where}": (
            "softmax-before-cross-entropy",
            OF_TIMM,
            {"handed": "out", "given": "net(x)"},
            {"handed": "out", "given": "net(x)"} | wrong,
        )
        for where, wrong in {
            "outputs": {"given": "torch.softmax(net(x), 1)"},
            "code": {"handed": "torch.softmax(out, dim=-1)"},
        }.items()
    },
    "a softmax that is meant to be applied twice": (
        "softmax-before-cross-entropy",
        TWICE,
        {"named": "double_softmax_cross_entropy"},
        {"named": "soft_cross_entropy"},
    ),
    "float16 of what is looked at, and float32 of what is trained": (
        "fp16-without-scaler",
        LOOKED_AT,
        {"looked": HALF, "trained": WHOLE},
        {"looked": WHOLE, "trained": HALF},
    ),
    "one of three networks that ends in probabilities, and another": (
        "sigmoid-before-bce-with-logits",
        """
class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return {ends}(self.fc(x))


class Second(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        made = self.fc(x)
        return {ends}(made)


kind = argparse.ArgumentParser().parse_args().kind
if kind == "first":
    net = First()
elif kind == "second":
    net = Second()
else:
    net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.BCEWithLogitsLoss()
for x, y in LOADER:
    optimizer.zero_grad()
    criterion(net(x), y).backward()
    optimizer.step()
""",
        {"ends": "torch.tanh"},
        {"ends": "torch.sigmoid"},
    ),
    "an optimizer that is made after the weights are loaded": _resumed(
        {"loaded": 'if args.resume:\n        optimizer.load_state_dict(checkpoint["optimizer"])'}, {}
    ),
    "an optimizer that starts from the weights of another run": _resumed({"asked": "seen"}, {}),
    "an optimizer that each pass makes": _resumed({"again": RESUME["made"], "made": "pass"}, {}),
    "an optimizer that a run which goes on chooses": _resumed(
        {
            "made": "if args.resume:\n        optimizer = torch.optim.SGD(net.parameters(), 0.1, 0.9)\n    else:\n        "
            + RESUME["made"]
        },
        {},
    ),
    "an optimizer without a state": _resumed({"made": "optimizer = torch.optim.SGD(net.parameters(), 0.1)"}, {}),
    "an optimizer after another one": _resumed({"before": RESUME["made"].replace("optimizer =", "first =")}, {}),
    "an optimizer that nobody saves": _resumed({"saved": ""}, {}),
    "a batch in parts": _chunked({"loss": "(nn.functional.mse_loss(net(xb), yb) / accum)"}, {}),
    "a batch in parts that are stepped by": _chunked({"each": "optimizer.step(); optimizer.zero_grad()"}, {}),
    "a batch in parts that a function makes": _chunked(
        {"parts": "xb, yb in zip(torch.chunk(x, accum, 1), torch.chunk(y, accum, 1))"},
        {"parts": "at, (xb, yb) in enumerate(zip(torch.chunk(x, accum), torch.chunk(y, accum)))"},
    ),
    "a sequence in parts": _chunked({"parts": "xb, yb in zip(x.chunk(accum, dim=1), y.chunk(accum, dim=1))"}, {}),
    "a batch in parts of two kinds": _chunked({"parts": "xb, yb in zip(x.chunk(accum), y)"}, {}),
    "a metric that a function returns": _measured({"returned": "loss"}, {}),
    "a metric that is turned round": _measured({"returned": "1 - accuracy"}, {}),
    "one of the metrics that a function returns": _measured(
        {"returned": "(accuracy, loss)", "told": "result[1]"}, {"returned": "(loss, accuracy)", "told": "result[1]"}
    ),
    "a metric that is turned round where it is told": _measured({"told": "-result"}, {}),
    "a metric under a name that tells nothing by itself": _measured({"made": "score", "told": "score"}, {}),
    "a metric under a name that says it is turned round": _measured({"made": "negative", "told": "negative"}, {}),
    "a metric under a name that says both": _measured({"made": "acc_loss", "told": "acc_loss"}, {}),
    "a metric that a framework tells": _watched({"mode": ', "max"'}, {}),
    "a metric that a framework tells of one schedule": _watched(
        {"returned": '{"optimizer": optimizer, "lr_scheduler": scheduler, "monitor": "val_loss"}'},
        {"returned": '{"optimizer": optimizer, "lr_scheduler": scheduler, "monitor": "val_acc"}'},
    ),
    "a metric of which a framework does not know the name": _watched({"returned": '[optimizer], [{"scheduler": scheduler}]'}, {}),
    "a metric that a framework tells in another way": _watched(
        {"hook": "def lr_scheduler_step(self, scheduler, metric):\n        scheduler.step(-metric)"},
        {"hook": "def lr_scheduler_step(self, scheduler, metric):\n        scheduler.step(metric)"},
    ),
    "a metric that a framework tells now and then": _watched(
        {"returned": '[optimizer], [{"scheduler": scheduler, "monitor": "val_acc", "frequency": 5}]'}, {}
    ),
    "a metric that a framework tells nobody": _watched({"plateau": "StepLR", "mode": ", 10"}, {}),
    "a window that a count fills": _counted({"loss": "(loss / size)"}, {}),
    "a window that a count fills or more": _counted(
        {"test": "if seen >= size", "loss": "(loss / size)"}, {"test": "if seen >= size"}
    ),
    "a window that a count does not fill yet": _counted(
        {"test": "if seen < size:\n        pass\n    else", "loss": "(loss / size)"},
        {"test": "if seen < size:\n        pass\n    else"},
    ),
    "a count that does not begin again": _counted({"back": "begun"}, {}),
    "a count of samples": _counted({"by": "len(x)"}, {}),
    "a count by twos": _counted({"by": "2"}, {}),
    "a test of something else": _counted({"test": "if loss.item() < size"}, {}),
    "a count of episodes": _counted({"over": "episode in range(100)"}, {}),
    "one of two that a method hands back": _parted({}, inner="return self.fc(x), torch.softmax(self.fc(x), 1)"),
    "two that are handed on the other way round": _parted({}, ends="seen, scores = self.head(x)\n        return scores, seen"),
    "one of two that is computed anew since": _parted(
        {}, ends="scores, seen = self.head(x)\n        scores = self.fc(x)\n        return scores, seen"
    ),
    "all that a method hands back": _parted({"ends": "return self.head(x)"}, inner="return self.fc(x), x"),
    "an entry of what a network puts out": _outputs(
        ENTRY | {"ends": 'out = self.fc(x)\n        return {"logits": out, "scores": torch.softmax(out, 1)}'}, ENTRY
    ),
    "an entry by a keyword": _outputs(
        ENTRY | {"ends": "out = self.fc(x)\n        return dict(logits=out, scores=torch.softmax(out, 1))"},
        ENTRY | {"ends": "return dict(logits=torch.softmax(self.fc(x), 1), seen=x)"},
    ),
    "an entry beside those that are unpacked": _outputs(
        ENTRY | {"ends": 'return {"logits": torch.softmax(self.fc(x), 1), **{"logits": self.fc(x)}}'}, ENTRY
    ),
    "an entry that is written to since": _outputs(ENTRY | {"then": 'out["logits"] = torch.log(out["logits"])'}, ENTRY),
    "entries that are all written to since": _outputs(ENTRY | {"then": "out = {k: torch.log(v) for k, v in out.items()}"}, ENTRY),
    "entries that are written to one by one": _outputs(
        ENTRY | {"then": "for key in list(out):\n        out[key] = torch.log(out[key])"}, ENTRY
    ),
    "entries that a method gives other values": _outputs(ENTRY | {"then": 'out.update(logits=torch.log(out["logits"]))'}, ENTRY),
    "another entry": _outputs(ENTRY | {"given": 'out["seen"]'}, ENTRY),
    "an entry taken out in the network": _outputs(
        {"ends": 'out = {"a": torch.softmax(self.fc(x), 1), "b": self.fc(x)}\n        return out["b"]'},
        {"ends": 'out = {"a": torch.softmax(self.fc(x), 1), "b": self.fc(x)}\n        return out["a"]'},
    ),
    "a dictionary of which one way has logits": _outputs(
        ENTRY
        | {
            "ends": 'if x.sum() > 0:\n            return {"logits": self.fc(x), "scores": self.fc(x).softmax(1)}\n        '
            + ENTRY["ends"]
        },
        ENTRY
        | {"ends": 'if x.sum() > 0:\n            return {"logits": torch.softmax(self.fc(x), 1)}\n        ' + ENTRY["ends"]},
    ),
    "an entry that is written twice": _filled('out["logits"] = self.fc(x)'),
    "an entry that is written on some ways": _filled('if x.sum() > 0:\n            out["logits"] = self.fc(x)'),
    "an entry that is another while nothing is trained": _outputs(
        ENTRY | {"ends": OTHERWISE.format("if not self.training:\n            ")}, ENTRY | {"ends": OTHERWISE.format("")}
    ),
    "entries that a method changes": _filled("out.update(logits=self.fc(x))"),
    "entries that a method has changed": _outputs(
        ENTRY | {"ends": 'out = {"logits": self.fc(x).softmax(1)}\n        out.update(logits=self.fc(x))\n        return out'},
        ENTRY | {"ends": 'out = {"logits": self.fc(x).softmax(1)}\n        out["seen"] = x\n        return out'},
    ),
    "lists in lists in lists": _outputs({"ends": TOGETHER.format("torch.cat([y, y])")}, {"ends": TOGETHER.format("y")}),
    "entries under keys that nobody knows": _filled("for key in out:\n            out[key] = torch.log(out[key])"),
    "a branch that is never taken": _outputs(BRANCH | {"act": "None if ends else nn.Softmax(dim=1)"}, BRANCH),
    "a branch for a network that is changed": _outputs(BRANCH | {"before": "net.act = None"}, BRANCH),
    "a branch for a network of which all parts are changed": _outputs(
        BRANCH | {"before": "for part in net.modules():\n    part.act = None"}, BRANCH
    ),
    "a branch for a network that is changed by a name": _outputs(
        BRANCH | {"before": "net.apply(lambda part: setattr(part, 'act', None))"}, BRANCH
    ),
    "a branch for a network of which everything is changed": _outputs(
        BRANCH | {"before": "net.__dict__.update(act=None)"}, BRANCH
    ),
    "a branch by the truth of a layer": _outputs(
        {"ends": BRANCH["ends"].replace("if self.act is not None", "if not self.act")},
        {"ends": BRANCH["ends"].replace("if self.act is not None", "if self.act")},
    ),
    "a branch by the mode": _outputs({"ends": BRANCH["ends"].replace("if self.act is not None", "if not self.training")}, BRANCH),
    "a branch by a name": _outputs(
        {
            "act": '"none"',
            "ends": 'x = self.fc(x)\n        if self.act == "softmax":\n            x = x.softmax(1)\n        return x',
        },
        {
            "act": '"softmax"',
            "ends": 'x = self.fc(x)\n        if self.act == "softmax":\n            x = x.softmax(1)\n        return x',
        },
    ),
    "a branch by another name": _outputs(
        {"act": '"none"', "ends": 'if self.act != "none":\n            return self.fc(x).softmax(1)\n        return self.fc(x)'},
        {"act": '"soft"', "ends": 'if self.act != "none":\n            return self.fc(x).softmax(1)\n        return self.fc(x)'},
    ),
    "a branch by an option": _outputs(
        {"act": "argparse.ArgumentParser().parse_args().softmax", "ends": BRANCH["ends"].replace("self.act(x)", "x.softmax(1)")},
        BRANCH,
    ),
    "both arms of a branch": _arms("x = self.fc(x)"),
    "an arm that puts through something else": _arms("x = self.fc(x).sigmoid()"),
    "an arm that binds nothing": _arms("pass"),
    "an arm that returns": _outputs({"ends": ARMS.format("return self.fc(x)")}, {"ends": ARMS.format("raise ValueError(x)")}),
    "arms in arms in arms": _arms(_arm(_arm(SOFT)), _arm(SOFT)),
    "an arm on several devices": _arms(
        "x = nn.parallel.data_parallel(self.fc, x, range(2))",
        "x = nn.parallel.data_parallel(self.act, self.fc(x), range(2))",
    ),
    "outputs that are stacked": _outputs(
        {"ends": "outs = [self.fc(x), self.fc(-x)]\n        return torch.stack(outs, 1)[:, 0]"},
        {"ends": "outs = [self.fc(x).softmax(1), self.fc(-x).softmax(1)]\n        return torch.stack(outs, 1)[:, 0]"},
    ),
    "outputs of which one is something else": _outputs(
        {"ends": "return torch.cat([self.fc(x).softmax(1), self.fc(-x)])"},
        {"ends": "return torch.cat([self.fc(x).softmax(1), self.fc(-x).softmax(1)])"},
    ),
    "outputs that are listed one by one": _outputs(
        {"ends": LIST + "return torch.cat([torch.log(each) for each in outs])"}, {"ends": LIST + "return torch.cat(outs)"}
    ),
    "a name that a comprehension binds anew": _outputs(
        {"ends": "each = self.fc(x).softmax(1)\n        return torch.cat([each for each in self.fc(x).chunk(2)])"},
        {"ends": "one = self.fc(x).softmax(1)\n        return torch.cat([one for each in self.fc(x).chunk(2)])"},
    ),
    "outputs that are appended": _steps(step="step"),
    "what is appended to others": _steps(begun="[self.fc(x)]"),
    "outputs one of which is replaced": _steps(changed="outs[0] = self.fc(x)"),
    "outputs all of which are replaced": _steps(changed="outs = [self.fc(each) for each in x.chunk(2)]"),
    "outputs of the pass before": _steps(reads="\n            outs.append(step)"),
    "probabilities within limits": _outputs(
        NLL | {"given": "torch.log(torch.clamp(torch.softmax(out, 1), 1e-7, 1))"}, NLL, "nll-on-unlogged-probabilities"
    ),
    "probabilities that are cut from their graph": _outputs(
        {"then": "print(nn.functional.kl_div(torch.log_softmax(out, 1).detach(), torch.softmax(x, 1)).item())"},
        {"then": "print(nn.functional.kl_div(torch.softmax(out, 1).detach(), torch.softmax(x, 1)).item())"},
        "nll-on-unlogged-probabilities",
    ),
    "logits within limits": _outputs(
        NLL | {"given": "torch.log_softmax(out, 1).clamp(min=-20)"}, NLL, "nll-on-unlogged-probabilities"
    ),
    "probabilities that a network keeps within limits": _outputs(
        {"ends": "return torch.log(torch.clamp(self.fc(x).softmax(1), 1e-7, 1))", "criterion": "nn.NLLLoss()"},
        {"ends": "return torch.clamp(self.fc(x).softmax(1), 1e-7, 1)", "criterion": "nn.NLLLoss()"},
        "nll-on-unlogged-probabilities",
    ),
    "the limit of a loss that takes the logarithm itself": _outputs(
        {"given": "torch.sigmoid(out).clamp(1e-7, 1 - 1e-7)", "criterion": "nn.BCELoss()"},
        {"given": "torch.sigmoid(out)", "criterion": "nn.BCELoss()"},
        "unfused-probability-loss",
    ),
    "the logarithm of what is limited": _outputs(
        {"given": "torch.log(torch.softmax(out, 1).clamp(min=1e-7))", "criterion": "nn.NLLLoss()"},
        {"given": "torch.log(torch.softmax(out, 1))", "criterion": "nn.NLLLoss()"},
        "unfused-probability-loss",
    ),
    "outputs that a loop stacks": _outputs(
        {"given": "torch.stack([torch.softmax(out, 1), out]).flatten(0, 1)"},
        {"given": "torch.stack([torch.softmax(out, 1), torch.softmax(-out, 1)]).flatten(0, 1)"},
    ),
    "outputs that a loop puts together": _outputs(
        {"given": "torch.cat([torch.softmax(out, 1), out])"},
        {"given": "torch.cat([torch.softmax(out, 1), torch.softmax(-out, 1)])"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
