"""Models: built, wrapped, copied, a part of a whole, and frozen."""
import copy

import torch
from somewhere import make
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

x = make()
#? Object(model)
model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
#? Object(model)
wrapped = DDP(model)
#? Object(model)
torch.compile(wrapped)
#? Object(model)
wrapped.module
#? Object(model)
model.to("cuda").train()
#? Object(model twin)
twin = copy.deepcopy(model)
#? Tensor(models=twin)
twin(x)
pair = {"G": nn.Linear(2, 2), "D": nn.Linear(2, 2)}
#? Tensor(models=pair["D"])
pair["D"](x)
if x:
    model = DDP(model)
#? Object(model)
model
frozen = nn.Linear(2, 2)
frozen.requires_grad_(False)
#? Tensor()
frozen(x)
#? Tensor(models=model)
frozen(model(x))
frozen.requires_grad_(True)
#? Tensor(models=frozen)
frozen(x)
for p in frozen.parameters():
    p.requires_grad = False
#? Tensor()
frozen(x)
same = nn.Linear(2, 2)
same = make(same)
#? Object(model same)
same

#? Symbol(settings)
settings = model.config
