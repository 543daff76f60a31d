"""What a function binds for others before it returns, early or in the end."""
from somewhere import call, make


class Trainer:
    def __init__(self):
        self.clip, self.name, self.mode = None, "a", "x"

    def one_of_two(self, simple):
        if simple:
            self.clip = 0.5
            return
        self.clip = 1.0

    def first_of_two(self, simple):
        if simple:
            self.name = "b"
            return 1
        print(simple)
        return 2

    def either(self, a, b):
        if a:
            self.mode = "y"
            if b:
                return
            self.mode = "z"
        else:
            return

    def in_a_loop(self):
        for each in make():
            if each.first:
                self.clip = 3
                return

    def swaps(self):
        self.clip, self.name = self.name, self.clip

    def raises(self, a):
        if a:
            self.clip = 4
            return
        self.clip = 5
        raise ValueError


simple = call(1)
trainer = Trainer()
trainer.one_of_two(simple)
#? (0.5 if somewhere.call(…) else 1.0)
trainer.clip
trainer.first_of_two(simple)
#? ('b' if somewhere.call(…) else 'a')
trainer.name
a, b = call(2), call(3)
trainer.either(a, b)
#? (('y' if somewhere.call(…) else 'z') if somewhere.call(…) else 'x')
trainer.mode

other = Trainer()
other.in_a_loop()
#? (3 if each.first else Symbol(clip))
other.clip
other.raises(a)
#? 4
other.clip

third = Trainer()
third.swaps()
#? ['a', None]
[third.clip, third.name]

options = {"a": 1}


def edit(given, a):
    if a:
        given["a"] = 2
        return given
    given["a"] = 3


edit(options, a)
#? ({'a': 2} if somewhere.call(…) else {'a': 3})
options


class Backend:
    name = ""

    def ready(self):
        return call(self)

    def take(self, thing):
        self.check()
        return self._take(thing)

    def check(self):
        assert call()

    def _take(self, thing):
        raise NotImplementedError


class Bare(Backend):
    name = "bare"

    def _take(self, thing):
        return thing, 0


class Wrapping(Backend):
    name = "wrapping"

    def _take(self, thing):
        return [thing], 1


class Sharding(Backend):
    name = "sharding"

    def _take(self, thing):
        return [thing, thing], 1


_DEFAULT = Bare()
BACKENDS = [_DEFAULT, Wrapping(), Sharding()]
backend = None


def choose(name):
    global backend
    if not name:
        backend = _DEFAULT
        return backend
    for each in BACKENDS:
        if each.name.lower() == name.lower():
            backend = each
            if not backend.ready():
                raise ImportError
            return backend
    raise ValueError


name = call(4)
#? ((Instance(Bare) if somewhere.call.lower(…) == 'bare' else (Instance(Wrapping) if somewhere.call.lower(…) == 'wrapping' else Instance(Sharding))) if somewhere.call(…) else Instance(Bare))
chosen = choose(name)
#? ((Instance(Bare) if somewhere.call.lower(…) == 'bare' else (Instance(Wrapping) if somewhere.call.lower(…) == 'wrapping' else Instance(Sharding))) if somewhere.call(…) else Instance(Bare))
backend
taken, wrapped = backend.take(1)
#? ((1 if somewhere.call.lower(…) == 'bare' else ([1] if somewhere.call.lower(…) == 'wrapping' else [1, 1])) if somewhere.call(…) else 1)
taken
#? ((0 if somewhere.call.lower(…) == 'bare' else 1) if somewhere.call(…) else 0)
wrapped


def by_whichever_works():
    try:
        return torch.amp.GradScaler("cuda")
    except TypeError:
        return torch.cuda.amp.GradScaler()


#? (Object(scaler) if raises else Object(scaler))
scaler = by_whichever_works()
