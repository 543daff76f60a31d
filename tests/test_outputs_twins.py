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
TWINS: dict[str, Twin] = {
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
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
