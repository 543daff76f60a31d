"""Jumps: what `break` and `continue` leave to what follows the loop."""
import torch
from somewhere import call, make
from torch import nn

net = nn.Linear(2, 2)
other = nn.Linear(2, 2)


def breaks(data, c, d):
    best = None
    for x in data:
        if c:
            best = net
            break
    #? (Object(model net) if c else Symbol(best))
    best
    chosen = None
    for x in data:
        chosen = net
        if c:
            break
    #? Object(model net)
    chosen
    for x in data:
        if c:
            if d:
                found = 1
                break
            found = 2
        else:
            found = 3
    #? ((1 if d else 2) if c else 3)
    found
    for x in data:
        if c:
            late = 1
            break
        late = 2
        break
    #? (1 if c else 2)
    late
    for x in data:
        if c:
            break
        passed = 1
    #? 1
    passed


def continues(data, c):
    for x in data:
        if c:
            seen = 1
            continue
        seen = 2
        rest = 3
    #? (1 if c else 2)
    seen
    #? 3
    rest
    for x in data:
        if c:
            last = 1
            continue
        last = 2
        break
    #? (1 if c else 2)
    last


def ends(data, c, d):
    for x in data:
        if c:
            model = net
            break
    else:
        model = other
    #? (Object(model net) if c else Object(model other))
    model
    for x in data:
        if c:
            model = net
            break
    else:
        raise ValueError
    #? Object(model net)
    model
    for x in (net, other):
        x
    else:
        after = 1
    #? 1
    after
    while False:
        after = 2
    else:
        after = 3
    #? 3
    after


def forever(c, d):
    while True:
        tried = 1
        if c:
            got = net
            break
        if d:
            got = other
            break
        got = None
    #? (Object(model net) if c else Object(model other))
    got
    #? 1
    tried
    while c:
        if d:
            got = net
            break
        got = None
    #? (Object(model net) if d else None)
    got


def finishes(data, c):
    for x in data:
        try:
            if c:
                done = 1
                break
        finally:
            done = 2
            closed = True
    #? 2
    done
    #? True
    closed
    try:
        for x in data:
            if c:
                kept = 1
                break
            kept = 2
    finally:
        kept
    #? (1 if c else 2)
    kept


def nests(data, c):
    for x in data:
        for y in data:
            if c:
                inner = 1
                break
            inner = 2
        #? (1 if c else 2)
        inner
        inner = 3
    #? 3
    inner


def scopes(data, c):
    for x in data:
        with torch.no_grad():
            if c:
                break
    #? Tensor(models=net)
    net(make())
    for x in data:
        with torch.no_grad():
            break
    #? Tensor(models=net)
    net(make())


class Holder:
    def __init__(self):
        self.model = None

    def choose(self, data, c):
        net.train()
        for x in data:
            if c:
                self.model = net
                break
        #? (Object(model net) if somewhere.make(…) else Symbol(model))
        self.model


Holder().choose(make(), make())
call(breaks, continues, ends, forever, finishes, nests, scopes)
