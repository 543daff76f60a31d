"""Tensors: whose gradient they carry, and what was done to them."""
import torch
from somewhere import blend, hide, make
from torch import nn
from torch.nn import functional as F

model = nn.Linear(2, 2)
other = nn.Linear(2, 2)
ended = nn.Sequential(nn.Linear(2, 2), nn.Softmax(1))
goes_on = nn.Sequential(nn.Linear(2, 2), nn.Softmax(1), nn.Linear(2, 2))
scaler = torch.cuda.amp.GradScaler()
criterion = nn.CrossEntropyLoss()
x, y = make()
k = make(2)

#? Tensor(models=model)
output = model(x)
#? True
output.requires_grad
#? Symbol(output.requires_grad)
hide(output).requires_grad
#? Tensor(models=model)
loss = criterion(output, y)
#? Tensor(models=model)
nn.CrossEntropyLoss(label_smoothing=0.1).to("cuda")(output, y)
#? Tensor(models=model)
nn.MSELoss(reduction="mean").cuda()(output, y)
#? Tensor(models=model, total)
nn.MSELoss(reduction="sum").to("cuda")(output, y)
#? Tensor(models=model)
F.mse_loss(output, y)
#? Tensor(models=model, divided by k)
loss / k
#? Tensor(models=model, shared)
loss / 4
four = 4
#? Tensor(models=model, divided by four)
loss / four
#? Tensor(models=model, shared)
loss * k
#? Tensor(models=model)
loss * 0.25
quarter = 1 / 4
#? Tensor(models=model, shared)
quarter * loss
#? Tensor(models=model, divided by k, divided by len(x))
loss / k / len(x)
#? Tensor(models=model)
loss + 1
#? Tensor(models=model+other)
loss + other(x)
#? Tensor(models=model+other)
other(output)
#? Tensor(models=model+other, mixed)
torch.cat([output, other(x)])
#? Tensor(models=model+other)
output if k else other(x)
#? Tensor(detached)
loss.detach()
#? Tensor(detached)
loss.item()
#? Tensor(detached)
loss.data
#? Tensor(models=other)
other(output.detach())
#? [Tensor(models=model), Tensor(detached)]
output.max(dim=1)
#? [Tensor(models=model), Tensor(detached)]
torch.topk(output, 5)
#? Tensor(models=model)
output.max()
#? Tensor(models=model+other)
torch.max(output, other(x))
#? Tensor(models=model, softmax)
output.softmax(-1)
#? Tensor(models=model, softmax)
torch.softmax(output, 1).view(-1, 2)
#? Tensor(models=model, log_softmax)
nn.functional.log_softmax(output, dim=1)
#? Tensor(models=model, sigmoid)
nn.Sigmoid()(output)
#? Tensor(models=ended+model, softmax)
ended(output)
#? Tensor(models=model)
torch.softmax(output, 1) * 2
#? Tensor(models=model, log of softmax)
torch.softmax(output, 1).log()
#? Tensor(models=model, softmax)
torch.log_softmax(output, 1).exp()
#? Tensor(models=model)
torch.exp(output)
#? Tensor(models=model, softmax)
output.softmax(1) if k else torch.softmax(output, 0)
#? Tensor(models=model, softmax if somewhere.make(…): True)
output.softmax(1) if k else output
#? Tensor(models=model)
torch.softmax(output, 1)[:, 0]
#? Tensor(models=model)
-torch.sigmoid(output)
#? Tensor(models=goes_on+model)
goes_on(output)
#? Tensor(models=model, summed)
loss.sum()
#? Tensor(models=model)
output.mean()
#? Tensor(models=model)
output[0]
#? Tensor(models=model)
output.logits
#? Symbol(output.shape)
output.shape
#? Tensor(models=model, hidden)
blend(output)
#? Tensor(models=model, foreign)
hide.cross_entropy(output)
#? Tensor(models=model, hidden, holder)
hide(model)
#? Tensor(models=model, hidden)
hide(model).log_prob(x)
#? Tensor(models=model, total)
criterion(output, y, reduction="sum")
#? Tensor(models=model, hidden, divided by k)
blend(output) / k
#? Tensor(models=model+other, divided by k, hidden, mixed)
loss / k + hide(other)
#? Tensor(models=model, scaler=scaler)
scaled = scaler.scale(loss)
#? Tensor(models=model, scaler=scaler, divided by k)
scaler.scale(loss / k)
#? Tensor(models=model, scaler=scaler)
scaled + loss
with torch.no_grad():
    #? Tensor()
    model(x)
    #? Tensor(detached)
    torch.nn.functional.mse_loss(output, x)
    #? Tensor(detached)
    output - x
    #? Tensor(detached)
    output.mean()
    #? Tensor(models=model)
    output.add_(x)
#? Tensor(models=model)
-loss
#? Tensor(models=model)
loss.to("cpu")
a, b = output
#? Tensor(models=model)
b
losses = {"a": loss / k, "b": other(x)}
#? Tensor(models=model+other, divided by k)
sum(losses.values())
total = 0
total += loss / k
#? Tensor(models=model, divided by k)
total
loss /= k
#? Tensor(models=model, divided by k)
loss
if k > 1:
    loss = model(x) / k
else:
    loss = model(x)
#? Tensor(models=model, divided by k)
loss
unscaled = torch.cuda.amp.GradScaler(enabled=False)
#? Tensor(models=model)
unscaled.scale(model(x))
#? Tensor(scaler=scaler, hidden, open)
scaler.scale(x)


# what was computed by networks is of torch, whatever it is
import numpy as np


#? False
isinstance(model(make()), np.ndarray)
#? True
isinstance(model(make()), torch.Tensor)
#? True
torch.is_tensor(model(make()).mean())
#? Symbol(builtins.isinstance(…))
isinstance(model(make()).item(), torch.Tensor)
#? False
isinstance([model(make())], torch.Tensor)
#? Symbol(builtins.isinstance(…))
isinstance(make(), torch.Tensor)
#? Symbol(builtins.isinstance(…))
isinstance(make(), np.ndarray)

# what is put into a dictionary that a network put out is in it
parts = model(make())
if make():
    parts["loss"] = parts["loss"] / k
#? Tensor(models=model, entry by loss, divided by k)
parts["loss"]
#? Tensor(models=model, entry by other)
parts["other"]
if make():
    parts["numbers"] = parts["numbers"].detach()
#? Tensor(models=model, entry by numbers, detached, doubtful by numbers)
parts["numbers"]
# of what code out of sight made of a network, the modules are none
#? Symbol(modules)
hide(model).modules()
