"""Choices: what an `if` leaves, arms that agree, and how deep they go."""
import torch.distributed as dist
from somewhere import call, make


def arms(a, b, c, d, e):
    if a:
        x = 1
    else:
        x = 2
    #? (1 if a else 2)
    x
    #? Symbol(choice(a, 1, 2) + 1)
    x + 1
    if a:
        #? 1
        x
        y = x
    else:
        #? 2
        x
        y = 1
    #? 1
    y
    #? 1
    x if a else 1
    #? (True if a else False)
    x == 1
    if x == 2:
        #? 2
        x
        #? False
        a is not None
    z = 0
    if b:
        z = 0
    #? 0
    z
    if a:
        if b:
            z = 1
    #? ((1 if b else 0) if a else 0)
    z
    #? (Symbol(b) if a else None)
    a and b
    #? (Symbol(a) if a else Symbol(b))
    a or b
    both = a and b
    if both:
        #? [True, True]
        a is not None, b is not None
    #? (1 if a else None)
    x if a else None
    if a:
        only = 1
    #? 1
    only


def settings():
    # of a package that nobody knows: a class is there, and what else it has may be a setting
    #? (1 if somewhere.make.debug else 2)
    1 if make.debug else 2
    #? (2 if somewhere.make.debug else 1)
    1 if not make.debug else 2
    #? 1
    1 if make.Writer else 2
    #? 1
    1 if dist.ReduceOp.SUM else 2
    #? 1
    1 if make.debug is not None else 2


def depth(a, b, c, d, e):
    #? ((((1 if d else 2) if c else 3) if b else 4) if a else 5)
    ((((1 if d else 2) if c else 3) if b else 4) if a else 5)
    #? Symbol(joined)
    (((((1 if e else 0) if d else 2) if c else 3) if b else 4) if a else 5)
    v = 0
    if a:
        v = 1
    if b:
        v = 2
    if c:
        v = 3
    if d:
        v = 4
    #? (4 if d else (3 if c else (2 if b else (1 if a else 0))))
    v
    if e:
        v = 5
    #? Symbol(v)
    v


def leaves(a, b):
    if a:
        x = 1
    else:
        return
    #? 1
    x
    #? True
    a is not None
    if b:
        raise ValueError
    #? False
    not not b
    if not a:
        #? unreached
        x


def guards(a):
    x = 0
    if a is None:
        x = 1
    if a:
        #? 0
        x
    assert a
    x = 4
    #? 4
    x


def cases(a):
    match a:
        case "sgd":
            x = 1
        case "adam":
            x = 2
        case [one]:
            x = 3
        case _:
            x = 4
    #? (1 if a == 'sgd' else (2 if a == 'adam' else (3 if a matches [one] else 4)))
    x
    if a == "sgd":
        #? 1
        x
    match "b":
        case "a":
            x = 1
        case "b":
            x = 2
    #? 2
    x


def group(several, other):
    #? Symbol(torch.distributed.is_initialized(…))
    dist.is_initialized()
    if several:
        dist.init_process_group("gloo")
        #? Symbol(torch.distributed.is_initialized(…))
        dist.is_initialized()
    elif other:
        #? False
        dist.is_initialized()
    #? Symbol(torch.distributed.is_initialized(…))
    dist.is_initialized()
    if not several:
        #? False
        dist.is_initialized()


call(arms, settings, depth, leaves, guards, cases, group)
