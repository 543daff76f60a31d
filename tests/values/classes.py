"""Classes: methods, properties, inheritance, fields, and what instances hold."""
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import somewhere
from flax import linen
from somewhere import Base, make
from torch import nn


class Plain:
    kind = "plain"

    def __init__(self, size, other=None):
        self.size = size
        self.other = other or []

    def double(self):
        #? 4 | 6
        return self.size * 2

    @property
    def half(self):
        return self.size / 2

    @cached_property
    def third(self):
        return 3

    @classmethod
    def of(cls, size):
        #? Class(Plain)
        cls
        return cls(size)

    @staticmethod
    def add(a, b):
        return a + b

    def rename(self, name):
        self.name = name
        return self


class Derived(Plain):
    def __init__(self):
        super().__init__(3)
        self.more = 1

    def double(self):
        #? Super(Derived, Plain)
        super()
        return [super().double()]

    def __call__(self, x):
        return x


#? Instance(Plain)
plain = Plain(2)
#? 2
plain.size
#? []
plain.other
#? 4
plain.double()
#? 1.0
plain.half
#? 3
plain.third
#? 'plain'
plain.kind
#? 'plain'
Plain.kind
#? Instance(Plain)
Plain.of(2)
#? 2
Plain.of(2).size
#? 3
Plain.add(1, 2)
#? 3
plain.add(1, 2)
#? Instance(Plain)
plain.rename("a")
#? 'a'
plain.name
#? 'b'
plain.rename("b").name
#? Symbol(unknown)
plain.unknown
#? Function(Plain.double of Instance(Plain))
plain.double
plain.size = 5
#? 5
plain.size
#? 5
getattr(plain, "size")
derived = Derived()
#? [6]
derived.double()
#? 3
derived.size
#? 1
derived.more
#? 'plain'
derived.kind
#? 8
derived(8)
#? Function(Plain.of of Class(Derived))
Derived.of


@dataclass
class Options:
    steps: int = 4
    name: str = "a"
    values: list = field(default_factory=list)
    rate: float


#? Symbol(steps, by default 4)
Options().steps
#? 8
Options(8).steps
#? 'b'
Options(name="b").name
#? Symbol(rate)
Options().rate


class Unseen(Base):
    def __init__(self):
        super().__init__()
        self.size = 1


#? 1
Unseen().size
#? Symbol(unknown)
Unseen().unknown


class HandsOn:
    def __init__(self, kept):
        self.kept = kept

    def __getattr__(self, name):
        if name == "length":
            return self.width
        return getattr(self.kept, name)


#? 1
HandsOn(Unseen()).size
#? Symbol(width)
HandsOn(Unseen()).length
#? Instance(HandsOn)
HandsOn(HandsOn(Unseen())).kept


class Derived(Base):
    def __getattr__(self, name):
        return 1


#? Symbol(size)
Derived().size


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.blocks = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x):
        return self.inner(x)


#? Instance(Net, model net)
net = Net(2)
#? Object(model self.inner in net)
net.inner
#? Tensor(models=net)
net(make())
#? Tensor(models=net)
net.forward(make())
#? Tensor(models=net, doubtful by encode)
net.encode(make())
#? Params(net)
net.parameters()
#? Params(self.inner)
net.inner.parameters()


class Square(Plain):
    pass


class Shaped(Protocol):
    def double(self): ...


class Mixed:
    def asks(self):
        #? Symbol(builtins.isinstance(…))
        isinstance(self, Square)
        #? True
        return isinstance(self, Mixed)


square, plain = Square(1), Plain(2)
#? True
isinstance(square, Plain)
#? False
isinstance(plain, Square)
#? False
isinstance(None, Plain)
#? (True if somewhere.make(…) else False)
isinstance(square if make() else plain, Square)
#? Symbol(builtins.isinstance(…))
isinstance(make(), Plain)
#? Symbol(builtins.isinstance(…))
isinstance(plain, (Square, Mixed))
# it is met by what has its methods
#? Symbol(builtins.isinstance(…))
isinstance(plain, Shaped)
# who knows what a base out of sight derives from
#? Symbol(builtins.isinstance(…))
isinstance(Derived(), Plain)
# a model may be in a wrapper
#? Symbol(builtins.isinstance(…))
isinstance(net, Net)
#? True
isinstance("sgd", str)
#? False
isinstance(3, str)
#? False
isinstance(None, dict)
#? False
isinstance("sgd", list)
#? False
isinstance(Plain, str)
#? Symbol(builtins.isinstance(…))
isinstance(make(), str)
#? Symbol(builtins.isinstance(…))
isinstance(make(), dict)
#? Symbol(builtins.isinstance(…))
isinstance({"a": 1}, dict)
Mixed().asks()


class Flaxen(linen.Module):
    pass


class Torchen(somewhere.Module):
    pass


#? Instance(Flaxen)
Flaxen()
torchen = Torchen()
#? Instance(Torchen, model torchen)
torchen
