"""A network keeps layers in a plain list or dictionary, so no optimizer trains them, and no checkpoint has them."""

from loopcheck import Rule, hide, replace

rule = Rule(
    code="LC405",
    bug=hide,
    per="class",
    says="what {hide} holds is none of the network's parameters: it does not look into what is no module",
    fix=replace(hide(of="list", bare=False), "nn.ModuleList({was})", requires="from torch import nn").unsafe
    | replace(hide(of="dict", bare=False), "nn.ModuleDict({was})", requires="from torch import nn").unsafe
    | replace(hide(of="list", bare=True), "nn.ParameterList({was})", requires="from torch import nn").unsafe
    | replace(hide(of="dict", bare=True), "nn.ParameterDict({was})", requires="from torch import nn").unsafe,
)
