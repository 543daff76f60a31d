"""Loops: what the body binds again is no constant in it, and what a pass leaves."""
import torch
from somewhere import call, make
from torch import nn

model = nn.Linear(2, 2)


def passes(data, n):
    first = True
    fixed = 2
    best = None
    step = 0
    seen = 0
    loss = 0
    for batch in data:
        #? Symbol(first)
        first
        #? 2
        fixed
        #? Symbol(best)
        best
        #? Counter(step)
        step
        #? Counter(seen)
        seen
        first = False
        best = 1
        step += 1
        #? Counter(step)
        step
        seen = seen + 1
        #? Counter(seen)
        seen
        loss = model(batch)
        for other in data:
            inner = other
    #? False
    first
    #? 1
    best
    #? Tensor(models=model)
    loss
    #? Counter(step)
    step
    #? Symbol(other)
    inner
    done = 0
    while done < n:
        #? Counter(done)
        done
        done += 1
    while False:
        #? unreached
        done
    for batch in data:
        if batch is None:
            continue
        #? True
        batch is not None


class Trainer:
    def __init__(self):
        self.step = 0
        self.first = True
        self.model = model

    def fit(self, data):
        for batch in data:
            #? Symbol(first)
            self.first
            #? Counter(step)
            self.step
            #? Object(model)
            self.model
            self.first = False
            self.step += 1
        #? False
        self.first


class Numbered:
    def __init__(self):
        self.at = 0
        self.left = self.right = None

    def fit(self, numbers, data):
        for self.at, batch in zip(numbers, data):
            #? Symbol(at)
            self.at
            #? Symbol(left)
            self.left
            self.left, *self.right = batch
        #? Symbol(rest)
        self.right


def comprehensions(data):
    #? [2, 3]
    [x + 1 for x in (1, 2)]
    #? Tensor(models=model)
    [model(x) for x in data]
    #? Tensor(models=model)
    (model(x) for x in data)
    #? Symbol(list)
    [x for x in data]
    #? Symbol(list)
    {x: 1 for x in data}
    #? [Object(model pair), Object(model pair)]
    pair = [nn.Linear(2, each) for each in (2, 3)]


call(passes, comprehensions)
Trainer().fit(make())
Numbered().fit(make(), make())
