"""What mode a network is in where nobody has put it in one: that of its making, and layers that drop nothing have none."""

import pytest
from twins import Twin, names, told

ATTENTION = """
    class Attend(nn.Module):
        def __init__(self, share={share}, causal=False):
            super().__init__()
            self.share, self.causal = share, causal
            {layer}

        def forward(self, q, k, v):
            return nn.functional.scaled_dot_product_attention(q, k, v, dropout_p={used})


    class Attention(nn.Module):
        def __init__(self, width, heads={heads}):
            super().__init__()
            self.heads = heads
            self.attend = Attend(causal=True)
            self.qkv = nn.Linear(width, width * 3)

        def forward(self, x):
            q, k, v = split(self.qkv(x), self.heads)
            return self.attend(q, k, v)


    class Net(nn.Module):
        def __init__(self, width):
            super().__init__()
            several = pick(width)
            self.first = nn.Linear(4, width)
            self.middle = Attention(width, heads=several[-1])

        def forward(self, x):
            return self.middle(self.first(x))

        @torch.no_grad()
        def sample(self, n):
            return self(torch.randn(n, 4))


    net = Net(8)
    net.load_state_dict(torch.load("net.pt"))
    torch.save(net.sample(16), "samples.pt")
"""
LAYER = {"layer": "self.drop = nn.Dropout(share)", "used": "0.0) + self.drop(v", "heads": "4"}
TOLD = "self.share if self.training else 0.0"
COPIED = """
    import copy

    from ema_pytorch import EMA


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.drop, self.last = nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 4)

        def forward(self, x, t):
            return self.last(self.drop(self.first(x))) * t


    @torch.no_grad()
    def sample(net, x, steps):
        for i in range(steps):
            x = x - net(x, i / steps) / steps
        return x


    model = Net()
    {before}
    ema = {made}
    ema.load_state_dict(torch.load("model.pt")["ema"])
    {mode}
    torch.save(torch.cat([sample(ema, torch.randn(4, 4), 10) for _ in range(10)]), "images.pt")
"""
EVAL = {"mode": "ema.eval()", "before": "pass"}
BORN = {"mode": "pass", "before": "pass"}
REDEFINED = """
    class Attention(nn.Module):
        def __init__(self, width, share=0.1):
            super().__init__()
            self.share, self.qkv = share, nn.Linear(width, width * 3)

        def forward(self, x):
            q, k, v = self.qkv(x).chunk(3, dim=-1)
            return nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=self.share)


    class {name}(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.out = nn.Linear(width, width)

        def forward(self, x):
            return self.out(x)


    net = nn.Sequential({name}(4))
"""
ELSEWHERE = """
    import xformers.ops as xops
    from flash_attn import flash_attn_func, flash_attn_qkvpacked_func


    class Attention(nn.Module):
        def __init__(self, width, share=0.1):
            super().__init__()
            self.share, self.qkv = share, nn.Linear(width, width * 3)

        def forward(self, x):
            qkv = self.qkv(x)
            q, k, v = qkv.chunk(3, dim=-1)
            return {applied}
"""
GATED, OPEN = "self.share if self.training else 0.0", "self.share"
TWINS: dict[str, Twin] = {
    **{
        f"attention of another package, {applied}": (
            "ungated-functional-dropout", ELSEWHERE,
            {"applied": applied.replace("SHARE", GATED)}, {"applied": applied.replace("SHARE", OPEN)},
        )
        for applied in (
            "xops.memory_efficient_attention(q, k, v, attn_bias=None, p=SHARE)",
            "xops.memory_efficient_attention(q, k, v, None, SHARE)",
            "flash_attn_func(q, k, v, dropout_p=SHARE, causal=True)",
            "flash_attn_qkvpacked_func(qkv, SHARE)",
        )
    },
    "a class that another one replaces": (
        "ungated-functional-dropout", REDEFINED, {"name": "Attention"}, {"name": "Plain"},
    ),
    "a share that its layer was made with": (
        "missing-eval-mode", ATTENTION, {"share": "0.0", **LAYER}, {"share": "0.1", **LAYER},
    ),
    "a share that attention is given": (
        "missing-eval-mode", ATTENTION.replace("{layer}", "pass").replace("{heads}", "4"),
        {"share": "0.0", "used": TOLD}, {"share": "0.1", "used": TOLD},
    ),
    "an average of weights is in the mode of what it was made of": (
        "missing-eval-mode", COPIED.replace("{made}", "EMA(model)"), EVAL, BORN,
    ),
    "a copy is, too": ("missing-eval-mode", COPIED.replace("{made}", "copy.deepcopy(model)"), EVAL, BORN),
    "a copy of what is in eval mode": (
        "missing-eval-mode", COPIED.replace("{made}", "copy.deepcopy(model)"), {"mode": "pass", "before": "model.eval()"},
        {"mode": "pass", "before": "model.eval(); model.train()"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_the_bug_is_told_and_its_twin_is_not(twin: Twin) -> None:
    assert told(twin) == (False, True)


def test_what_stands_in_place_of_a_number_is_no_layer() -> None:
    """Of `heads`, which nobody knows, only its default says that it is none."""
    assert "missing-eval-mode" in names(ATTENTION.format(share="0.0", **{**LAYER, "heads": "None"}))
