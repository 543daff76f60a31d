"""Code that does what it does with what its file has, and not with what it is given, each beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

NETWORK = """
import sys
import numpy as np
from PIL import Image
from torchvision import transforms


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)

    def forward(self, x, **options):
        return [self.norm(self.conv(x)).mean((2, 3)), x]

    def loss_function(self, *outputs, **options):
        made, x = outputs[0], outputs[1]
        loss = nn.functional.mse_loss(made, x.mean((2, 3)))
        return {{"loss": loss * options["weight"], "error": loss.detach()}}


"""
TWINS: dict[str, Twin] = {
    "an evaluation of what its file has": (
        "missing-no-grad",
        NETWORK
        + """
checkpoint = torch.load("best.tar")
encoder = checkpoint["encoder"].to("cpu")
encoder.eval()


{decorator}
def evaluate(width):
    found = []
    for x, name in TEST_LOADER:
        k = width
        out = encoder(x)
        size = out.size(1)
        out = out.view(1, -1, size)
        out = out.expand(k, -1, size)
        best = out.argmax(1)
        found.append(best[0].tolist())
    return found


print(evaluate(3))
""",
        {"decorator": "@torch.no_grad()"},
        {"decorator": ""},
    ),
    "a function that applies the network of its file": (
        "missing-eval-mode",
        NETWORK
        + """
net = Network()
net.load_state_dict(torch.load("net.pt"))
{mode}


def classify(path):
    image = Image.open(path)
    x = transforms.ToTensor()(image)
    x = x.unsqueeze(0)
    scores = net(x)[0]
    chances = scores.softmax(1)
    best = chances.argmax(1)
    label = best.item()
    text = str(label)
    return text


for path in sys.argv[1:]:
    print(classify(path))
""",
        {"mode": "net.eval()"},
        {"mode": ""},
    ),
    "a function in a function that applies the network of that": (
        "missing-no-grad",
        NETWORK
        + """
def main(path):
    net = Network()
    net.eval()
    net.load_state_dict(torch.load("net.pt"))
    whole = np.load(path)

    {decorator}
    def rebuilt(whole):
        number = np.shape(whole)[0]
        passes = -(-number // 16)
        wide = np.concatenate([whole, whole[0:16]], 0)
        found = []
        for i in range(passes):
            x = torch.from_numpy(wide[i * 16 : (i + 1) * 16]).float()
            made = net(x)[0]
            found.append(made.cpu().detach().numpy())
        found = np.concatenate(found, 0)
        found = found[0:number]
        return found

    np.save("rebuilt.npy", rebuilt(whole))


main(sys.argv[1])
""",
        {"decorator": "@torch.no_grad()"},
        {"decorator": ""},
    ),
    "outputs that are handed on as they come": (
        "missing-train-restore",
        NETWORK
        + """
net = Network()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    {mode}
    for x, y in LOADER:
        optimizer.zero_grad()
        losses = net.loss_function(*net(x, of=y), weight=0.1)
        losses["loss"].backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        for x, y in TEST_LOADER:
            losses = net.loss_function(*net(x, of=y), weight=0.1)
            print(losses["loss"].item())
""",
        {"mode": "net.train()"},
        {"mode": "pass"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
