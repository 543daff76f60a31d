"""What `with`, `try`, `finally` and generators leave."""
import contextlib

import torch
from somewhere import call, make, manager
from torch import nn

model = nn.Linear(2, 2)


@contextlib.contextmanager
def managed(name):
    #? 'a' | 'b'
    name
    before = 1
    yield name + "!"
    #? 1
    before


@contextlib.contextmanager
def without_grad():
    with torch.no_grad():
        yield


class Opened:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


x = 0
with managed("a") as given:
    #? 'a!'
    given
    x = 1
#? 1
x
with managed("b"), torch.no_grad():
    #? Tensor()
    model(make())
#? Tensor(models=model)
model(make())
with without_grad():
    #? Tensor()
    model(make())
with torch.no_grad():
    with torch.enable_grad():
        #? Tensor(models=model)
        model(make())
    #? Tensor()
    model(make())
with manager() as opened:
    #? Symbol(opened)
    opened
with torch.set_grad_enabled(make()):
    #? Tensor(models=model)
    model(make())
torch.set_grad_enabled(False)
#? Tensor()
model(make())
torch.set_grad_enabled(True)
#? Tensor(models=model)
model(make())


def switches():
    torch.set_grad_enabled(False)


switches()
#? Tensor()
model(make())
torch.set_grad_enabled(True)


def tries(a):
    x = 0
    try:
        x = 1
        y = 1
    except ValueError:
        x = 2
    #? (2 if raises else 1)
    x
    try:
        z = 1
    finally:
        z = 2
    #? 2
    z
    try:
        z = 3
    except ValueError:
        raise
    #? 3
    z
    try:
        import missing
    except ImportError:
        missing = None
    #? (None if raises else Api(missing))
    missing
    try:
        z = 4
    except ValueError:
        pass
    else:
        z = 5
    #? 5
    z


def resumed(a):
    flag = first = between = True
    try:
        first = False
        a.load()
        between = False
        a.load()
        flag = False
    except OSError:
        pass
    #? (True if raises else False)
    flag
    #? False
    first
    #? (Symbol(between) if raises else False)
    between


class Resumed:
    def load(self, a):
        self.fresh = True
        try:
            a.load()
            self.fresh = False
        except OSError:
            pass
        #? (True if raises else False)
        self.fresh


def finishes(a):
    done = []
    try:
        if a:
            return done
        done = [1]
    finally:
        #? [] | [1]
        done
    #? [1]
    done


def numbers():
    yield 1
    #? unreached
    return 2


class Registry:
    def __init__(self):
        self.done = 0

    @contextlib.contextmanager
    def around(self):
        self.done = 1
        yield self
        self.done = 2


registry = Registry()
with registry.around() as same:
    #? Instance(Registry)
    same
    #? 1
    registry.done
#? 2
registry.done
call(tries, resumed, Resumed().load, finishes)
