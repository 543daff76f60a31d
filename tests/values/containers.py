"""Tuples, lists and dicts whose elements are known."""
import copy

from somewhere import make

x = make()

#? [1, 2]
pair = 1, 2
#? []
empty = []
#? [1, 2, 3]
longer = [*pair, 3]
#? [1, 2, 1, 2]
twice = pair + pair
#? 2
pair[1]
#? 2
pair[-1]
#? Symbol(somewhere.make(…)[0])
x[0]

first, second = pair
#? 1
first
#? 2
second
(left, right), last = [pair, 3]
#? 2
right
#? 3
last
head, *rest = longer
#? 1
head
#? [2, 3]
rest
one, two = x
#? Symbol(one)
one
#? Symbol(two)
two

#? {'a': 1, 'b': 2}
options = {"a": 1, "b": 2}
#? 1
options["a"]
#? 2
options.get("b")
#? {'a': 3, 'b': 2, 'c': 4}
merged = {**options, "a": 3, "c": 4}
#? {'a': 1}
dict(a=1)
#? True
"c" in merged
#? False
4 in merged
for each in x:
    #? (True if 'c' in items(3, 2, 4) else False)
    "c" in merged
either = {"a": 1} if x else {"b": 2}
#? ({'a': 1, 'c': 3} if somewhere.make(…) else {'b': 2, 'c': 3})
{**either, "c": 3}
#? ({'a': 1, 'd': 1} if somewhere.make(…) else {'b': 2, 'd': 2})
{**either, **({"d": 1} if x else {"d": 2})}
#? Symbol(dict)
{**(options if x else make())}
#? [1, 2]
options.values()
#? ['a', 'b']
options.keys()
#? [['a', 1], ['b', 2]]
options.items()
options["c"] = 3
#? {'a': 1, 'b': 2, 'c': 3}
options
options.update({"a": 7})
#? {'a': 7, 'b': 2, 'c': 3}
options
options.update(d=9)
#? {'a': 7, 'b': 2, 'c': 3, 'd': 9}
options
#? 9
options.pop("d", None)
#? {'a': 7, 'b': 2, 'c': 3}
options
options.pop("e", None)
del options["c"]
#? {'a': 7, 'b': 2}
options
options.pop(x)
#? Symbol(options)
options
options = {"a": 7}
options.update(x)
#? Symbol(options)
options
#? Symbol(dict)
{x: 1}

grown = []
grown.append(1)
grown.extend([2, 3])
#? [1, 2, 3]
grown
#? [1, 2, 3]
same = grown.copy()
same.append(4)
#? [1, 2, 3, 4]
same
#? [1, 2, 3]
grown
#? [1, 2, 3]
list(grown)
#? [1, 2, 3]
copy.deepcopy(grown)
#? {'a': [1]}
copy.deepcopy({"a": [1]})
shallow, [*middle, end] = 1, [2, 3, 4]
#? [2, 3]
middle
#? 4
end
start, *none = [5]
#? []
none
grown.insert(0, 5)
#? Symbol(grown)
grown
same.clear()
#? []
same
filled = {}
filled[0] = "a"
filled["b"] = x
#? {0: 'a', 'b': Symbol(x)}
filled

filled.clear()
#? {}
filled

#? [[0, 'a'], [1, 'b']]
enumerate(["a", "b"])
#? [['a', 1], ['b', 2]]
zip(["a", "b"], pair)
#? True
3 in longer
#? {'a': Symbol(x), 'b': 1}
dict(zip(["a", "b"], [x, 1]))
#? {'a': 7, 'z': 0}
dict({"a": 7}, z=0)
