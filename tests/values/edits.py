"""Lists and dicts that are changed where others hold them: by functions, in loops, and under another name."""
from somewhere import call, make

options = {"clip": 0, "shuffle": False, "lr": 1}
state = {"step": 0, "name": "a"}
seen = []


def configure(given):
    given["clip"] = 2
    given.update(shuffle=True)


configure(options)
#? {'clip': 2, 'shuffle': True, 'lr': 1}
options


def grow(into, more):
    into.append(more)
    return into


grown = [1]
grow(grown, 2)
#? [1, 2]
grown
grow(more=3, into=grown)
#? [1, 2, 3]
grown


def own(given):
    given = dict(given)
    given["clip"] = 9
    return given


own(options)
#? {'clip': 2, 'shuffle': True, 'lr': 1}
options


def handed_on(given):
    configure(given)


fresh = {"clip": 1}
handed_on(fresh)
#? {'clip': 2, 'shuffle': True}
fresh


def filled():
    into = {"clip": 1}
    configure(into)
    listed = [1]
    grow(listed, 2)
    #? {'clip': 2, 'shuffle': True}
    into
    #? [1, 2]
    listed


filled()


def count():
    state["step"] += 1


count()
#? {'step': Counter(state), 'name': 'a'}
state


def note(x):
    seen.append(x)


note(5)
#? [5]
seen


mine = {"a": 1}
other = mine
other["a"] = 2
#? {'a': 2}
mine
apart = dict(mine)
apart["a"] = 3
#? {'a': 2}
mine
listed = [1]
again = list(listed)
again.append(2)
copied = listed.copy()
copied.append(3)
#? [1]
listed


class Holder:
    def __init__(self, given):
        self.given = given

    def change(self):
        self.given["clip"] = 5

    def both(self):
        mine = self.given
        mine["clip"] = 7
        #? {'clip': 7}
        self.given


holder = Holder({"clip": 4})
holder.change()
#? {'clip': 5}
holder.given
holder.both()

counts = {"a": 0, "b": 0}
for each in make():
    #? {'a': Counter(a), 'b': 0}
    counts
    counts["a"] += 1

either = {"lr": 1} if make() else {"lr": 2, "clip": 3}
beside = either
either["lr"] = 4
#? ({'lr': 4} if somewhere.make(…) else {'lr': 4, 'clip': 3})
either
#? ({'lr': 4} if somewhere.make(…) else {'lr': 4, 'clip': 3})
beside
either[make()] = 5
#? (Symbol(either) if somewhere.make(…) else Symbol(either))
either
