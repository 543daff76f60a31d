"""Functions: what they return, the defaults of their parameters, closures, partials, decorators."""
import functools

import torch
from somewhere import KINDS, create_model, call, make
from torch import nn

model = nn.Linear(2, 2)


def add(a, b=2, *rest, c=3, **options):
    return a + b + c


def gathers(a, *rest, b=0, **options):
    #? [] | [2]
    rest
    #? {} | {'c': 4}
    options


gathers(1)
gathers(1, 2, b=3, c=4)
#? 6
add(1)
#? 15
add(5, 6, 7, c=4, d=8)
#? Function(add)
add
#? 6
add(*[1], **{"b": 2})
#? Symbol(a + b + c)
add(*make())
double = lambda x: x * 2
#? 6
double(3)
#? Partial(Function(add), 1, b=5)
five = functools.partial(add, 1, b=5)
#? 9
five()
#? 13
five(c=7)


def criterion(weighted):
    return nn.BCEWithLogitsLoss(reduction="sum" if weighted else "mean")


#? Partial(Api(torch.nn.BCEWithLogitsLoss()), reduction='mean')
criterion(False)
#? Tensor(models=model, total)
criterion(True)(model(make()), make())


def returns(a):
    if a:
        return 1
    return 2


#? 1
returns(True)
#? 2
returns(0)
#? (1 if somewhere.make(…) else 2)
returns(make())


def early(flag, other):
    if flag:
        if other:
            return 1
        return 2
    raise ValueError


def nothing(a):
    if a:
        return


def pair(a):
    if a:
        return model, 1
    return model, 2


def of_tensors(a):
    return model(a) if a else model(a) / 2


def decides(a, b):
    #? None
    nothing(a)
    #? (1 if b else 2)
    early(a, b)
    #? Tensor(models=model, shared, mixed)
    of_tensors(a)
    #? [Object(model), (1 if a else 2)]
    pair(a)
    same, which = pair(a)
    #? Object(model)
    same
    #? (1 if a else 2)
    which


def outer(n):
    total = n

    def inner(m):
        #? 7
        return total + m

    return inner


#? 7
outer(3)(4)

limit = 1


def of_module(what=nn.Linear):
    return what


def shadows():
    nn = 1
    return of_module()


#? Api(torch.nn.Linear)
shadows()


def defaults(n=limit):
    return n


def calls(limit):
    #? 1
    return defaults()


calls(2)


size = 1


def once(n=size, *, module=nn.Linear(2, size), kind=nn.Linear, **options):
    #? [1, Object(model module), Api(torch.nn.Linear)] | [0, Object(model module), Api(torch.nn.Linear)]
    [n, module, kind]
    return module


size = 2
#? Object(model module)
once()
once(0)
#? 0
(lambda n=size - 2: n)()
size = 3


class Built:
    def __init__(self, size=size):
        self.size = size

    @classmethod
    def of(cls, size=size):
        return cls(size)


size = 4
#? 3
Built().size
#? 3
Built.of().size
adders = [lambda x, by=by: x + by for by in (1, 2)]
#? 4
adders[0](3)
#? 5
adders[1](3)


def plain(function):
    return function


def wraps(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        return [function(*args, **kwargs), "wrapped"]

    return wrapped


@plain
def same_as_before(x):
    return x


@wraps
def decorated(x):
    return x


@torch.no_grad()
def evaluated(x):
    #? Tensor()
    return model(x)


#? 3
same_as_before(3)
#? [3, 'wrapped']
decorated(3)
evaluated(make())
#? Tensor(models=model)
model(make())


def run(function, *args):
    return function(*args)


#? 6
run(double, 3)
#? 5
run(lambda a, b: a + b, 2, 3)
#? 8
{"double": double}["double"](4)
chosen = double if make() else add
#? (4 if somewhere.make(…) else 7)
chosen(2)
call(decides)

one, other = create_model(1), create_model(1)
one.kept = 1
#? Symbol(somewhere.create_model(…).kept)
other.kept


def makes(kind):
    return KINDS[kind](1)


first, second = makes(call(1)), makes(call(1))
first.kept = 1
#? Symbol(somewhere.KINDS[somewhere.call(…)](…).kept)
second.kept
first.kept = 1
same, again = call(1), call(1)
same.kept = 1
#? 1
again.kept
