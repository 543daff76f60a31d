"""Variables of a function that are not its own: `global` and `nonlocal`."""
import torch
from somewhere import call, make
from torch import nn

net = nn.Linear(2, 2)
model = None
best = 0.5
mode = "a"
first = True
flag = 1
used = 0


def build():
    global model
    model = net
    #? Object(model net)
    model


def local():
    model = 2
    best = 1
    #? [2, 1]
    [model, best]


#? None
model
build()
#? Object(model net)
model
local()
#? Object(model net)
model
#? 0.5
best


def reads():
    #? Tensor(models=net)
    return model(make())


#? Tensor(models=net)
reads()


def late(c):
    if c:
        global mode
    mode = "b"


late(make())
#? 'b'
mode


def imports():
    global functional, Inner, inner

    import torch.nn.functional as functional

    class Inner:
        pass

    def inner():
        return 3


imports()
#? Api(torch.nn.functional)
functional
#? Instance(Inner)
Inner()
#? 3
inner()


def forgets():
    global used
    del used
    used = 2


forgets()
#? 2
used


def current():
    return flag


def asks():
    return current()


#? 1
asks()


def bumps():
    global flag
    flag = 2


bumps()
#? 2
asks()


def once():
    global first
    first = False


for batch in make():
    #? Symbol(first)
    first
    once()
#? False
first


def counts():
    n = 1
    other = 1

    def inner():
        nonlocal n
        n = 2
        other = 2
        return other

    #? 1
    n
    inner()
    #? 2
    n
    #? 1
    other
    return inner


counts()


def outermost():
    model = 3

    def inner():
        global model
        #? Object(model net)
        model

    inner()


def deep():
    n = 1

    def middle():
        def inner():
            nonlocal n
            n = 5

        inner()
        #? 5
        n

    middle()
    #? 5
    n


deep()
outermost()


def rates():
    global best
    best = call()
    x = torch.optim.SGD(model.parameters())
    x.step()


optimizer = torch.optim.SGD(net.parameters())


level = 1


def raises():
    global level
    level = 2


def steps(x):
    #? [Symbol(best), Symbol(level)]
    [best, level]
    optimizer.step()
