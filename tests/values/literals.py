"""Literals and what is folded of them, as long as it stays small."""
import math

#? 3
a = 3
#? 3.5
b = a + 0.5
#? 1.5
c = a / 2
#? 'ab'
d = "a" + "b"
#? 7
e = 2 * a + 1
#? -3
f = -a
#? True
g = a < 4
#? False
h = not g
#? True
i = a == 3 and b != 3
#? True
j = 1 < a < 4
#? None
k = None
#? True
l = k is None
#? 1000000000000
largest = 10**12
#? Symbol(value)
beyond = 10**13
#? Symbol(value)
huge = 10**10**8
#? Symbol(value)
far = 10 * largest
#? Symbol(value)
long = "a" * 10_001
#? Symbol(value)
longest = "a" * 10**12
#? Symbol(value)
padded = "%1000000000d" % a
#? Symbol(value)
heavy = b"a" * 10**12
#? Symbol(value)
divided = a / 0
#? Symbol(value)
mixed = "a" + 1
#? True
within = "a" in ("a", "b")
#? Symbol(text)
text = f"{a}"
#? 'adam'
lowered = "Adam".lower()
#? True
" Adam ".strip().casefold() == lowered
#? Symbol(.strip(…))
"Adam".strip("A")
OPTIMIZER = "Adam"
#? Symbol(.lower(…))
OPTIMIZER.lower()
#? inf
infinite = float("inf")
#? Symbol(value)
dots = ...
#? Api(math.pi)
math.pi
#? 3
(walrus := a)
#? 3
walrus
#? 4
annotated: int = a + 1
gone = 1
del gone
#? Symbol(gone)
gone
