"""Terms: equal expressions of what is not known are one value, however they are reached."""
from somewhere import call


def expressions(x, y):
    #? Symbol(x)
    x
    #? Symbol(x + 1)
    x + 1
    #? Symbol(x + 1)
    x + 1 if y else x + 1
    #? (Symbol(x + 1) if y else Symbol(x + 2))
    x + 1 if y else x + 2
    #? Symbol(x.steps)
    x.steps
    #? Symbol(x.steps)
    x.steps if y else x.steps
    #? Symbol(x['steps'])
    x["steps"]
    #? Symbol(x[1])
    x[1]
    #? Symbol(x.steps[y])
    x.steps[y]
    #? Symbol(x.steps[0] * -(y))
    x.steps[0] * -y
    #? Symbol(builtins.len(…))
    len(x)
    #? Symbol(builtins.len(…))
    len(x) if y else len(x)
    #? (Symbol(builtins.len(…)) if y else Symbol(builtins.len(…)))
    len(x) if y else len(x.steps)
    #? (True if x == y else False)
    x == y
    #? (False if x == 3 else True)
    x != 3
    #? (False if x else True)
    not x
    #? (False if x else True)
    x is None
    #? (True if x else False)
    x is not None
    #? ((True if x == 3 else False) if y else None)
    y and x == 3
    #? (Symbol(y) if y else 3)
    y or 3
    #? (Symbol(y) if x == 3 else False)
    x == 3 and y
    #? ('a' if y else Symbol(x))
    y and "a" or x
    #? 3
    None or 3
    #? 0
    0 and x
    if y or 0:
        #? True
        y is not None
    if not (y or x):
        #? False
        x is not None
    #? (False if x == 1 else True)
    x > 1
    #? (True if x.size > 3 else False)
    x.size > 3
    #? (True if x in y else False)
    x in y
    #? (False if x in y else True)
    x not in y

    x.steps = 4
    #? 4
    x.steps
    x["steps"] = 5
    #? 5
    x["steps"]
    #? Symbol(x['others'])
    x["others"]

    z = x.other
    #? Symbol(x.other + 1)
    z + 1
    z += 1
    #? Counter(z)
    z


call(expressions)
