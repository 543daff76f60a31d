"""Streams: what hands out the elements of other values, and the counters of loops."""
import itertools

from somewhere import call, make
from torch.utils.data import DataLoader
from tqdm import tqdm, trange

loader = DataLoader(make())

#? Stream(Object(loader), numbered)
enumerate(loader)
#? Stream(Object(loader), numbered, from 1)
enumerate(loader, 1)
#? Stream(Object(loader), numbered, from 2)
enumerate(loader, start=2)
#? Stream(Object(loader), numbered, from None)
enumerate(loader, make())
#? Object(loader)
tqdm(loader)
#? Stream(Stream(Object(loader)), numbered)
enumerate(iter(loader))
#? Stream(Object(loader), Symbol(somewhere.make(…)))
zip(loader, make())
#? Stream(below (10))
range(10)
n = make(1)
#? Stream(below n)
range(0, n)
#? Stream(from 1)
range(1, n, 2)
#? Stream(below n, from 1)
range(1, n)
#? Stream(below (3))
trange(3)
#? Stream()
itertools.count()
#? Stream(Object(loader))
itertools.cycle(loader)

for i, batch in enumerate(tqdm(loader)):
    #? Counter(i, from 0)
    i
    #? Symbol(batch)
    batch
    #? Counter(i + 1)
    i + 1
    #? (True if i == 3 else False)
    i == 3
for i, batch in enumerate(loader, 1):
    #? Counter(i)
    i
for i in range(3):
    #? Counter(i, from 0)
    i
    k = i
#? Counter(i, from 0)
k
for i, (a, b) in zip(range(3), loader):
    #? Symbol(a)
    a
for a, (i, b) in zip(loader, enumerate(loader)):
    #? Symbol(i)
    i
for name in ["a", "b"]:
    #? 'a' | 'b'
    name
for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"]:
    #? Symbol(name)
    name
for name in {"a": 1, "b": 2}:
    #? 'a' | 'b'
    name
for name, value in {"a": 1, "b": 2}.items():
    #? 1 | 2
    value
for i in [1, 2]:
    #? Symbol(i)
    i
