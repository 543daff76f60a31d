"""Parameters and gradients: of which models, and whether all of them."""
import itertools

import torch
from somewhere import chosen
from torch import nn

model = nn.Linear(2, 2)
other = nn.Sequential(nn.Linear(2, 2))

#? Params(model)
parameters = model.parameters()
#? Params(model)
list(model.parameters())
#? Params(model+other)
itertools.chain(model.parameters(), other.parameters())
#? Params(model+other)
list(model.parameters()) + list(other.parameters())
#? Params(model)
filter(lambda p: p.requires_grad, model.parameters())
#? Params(model, some, grouped)
filter(lambda p: p.dim() > 1, model.parameters())
#? Params(model)
[p for p in model.parameters()]
#? Params(model)
[p for p in model.parameters() if p.requires_grad]
#? Params(model, some, grouped)
[p for n, p in model.named_parameters() if "bias" not in n]
#? Params(model)
[p for n, p in model.named_parameters()]
for p in model.parameters():
    #? Params(model)
    p
    #? Grad(Params(model))
    p.grad
    #? Grad(Params(model))
    p.grad.data
for n, q in model.named_parameters():
    #? Params(model)
    q
#? Grad(Params(model))
[p.grad for p in model.parameters()]
#? Params(model)
next(model.parameters())
#? [{'params': Params(model, some, grouped)}, {'params': Params(model, some, grouped), 'lr': 0.1}]
groups = [
    {"params": [p for n, p in model.named_parameters() if chosen(n)]},
    {"params": [p for n, p in model.named_parameters() if not chosen(n)], "lr": 0.1},
]
#? Object(optimizer of model)
optimizer = torch.optim.SGD(groups)
#? Object(optimizer two of model+other)
two = torch.optim.SGD([*model.parameters(), *other.parameters()])
#? Object(scheduler of optimizer)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
#? Object(optimizer of model)
scheduler.optimizer
