"""All hooks together, and the events that come of them."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

from loopcheck.loop import Event, Role
from loopcheck.record import cast, gradients, later, patch
from loopcheck.record.attaching import Attaching
from loopcheck.record.averaging import Averaging
from loopcheck.record.cast import Cast, Model
from loopcheck.record.casting import Casting
from loopcheck.record.checkpoints import Checkpoints
from loopcheck.record.costs import Costs
from loopcheck.record.criteria import Criteria
from loopcheck.record.data import Data
from loopcheck.record.discarding import Discarding
from loopcheck.record.dropping import Dropping
from loopcheck.record.frameworks import Frameworks
from loopcheck.record.gradients import Gradients
from loopcheck.record.hiding import Hiding
from loopcheck.record.ledger import Ledger
from loopcheck.record.methods import told_as_one
from loopcheck.record.modules import Modules
from loopcheck.record.optimizers import Optimizers
from loopcheck.record.overwriting import Overwriting
from loopcheck.record.retaining import Retaining
from loopcheck.record.scalers import Scalers
from loopcheck.record.schedules import Schedules
from loopcheck.record.shards import Shards
from loopcheck.record.site import Sites
from loopcheck.record.tallying import Tallying
from loopcheck.record.tape import Moment, Tape
from loopcheck.record.uncalled import Uncalled
from loopcheck.record.watch import Watch
from loopcheck.states import forgetful, tell_dropped, tell_lacking, tell_wrapped, tie_states, tie_weights


class Recorder:
    """Records from its making until it is released, or the process ends."""

    def __init__(self, home: str, watch: Watch) -> None:
        self.patches = patch.begin()
        sites = Sites(home)
        self._tape = Tape(sites)
        self._cast = Cast(sites)
        ledger = Ledger(self._tape, self._cast)
        self._modules = Modules(self._tape, self._cast, watch)
        self._gradients = Gradients(self._tape, self._cast, ledger, self._modules, watch)
        self._data = Data(self._tape, self._cast, watch)
        self._modules.install()
        self._gradients.install()
        self._data.install()
        Criteria(self._tape, self._modules).install()
        Discarding(self._tape, sites).install()
        Dropping(self._tape, sites).install()
        hiding = Hiding(self._tape, sites)
        hiding.install()
        self._modules.on_first.append(hiding.look)
        self._checkpoints = Checkpoints(self._tape, sites, self._cast, self._modules, watch)
        self._checkpoints.install()
        Retaining(self._tape, sites, self._modules).install()
        Tallying(self._tape, sites, self._data, watch).install()
        Shards(self._tape, self._cast, self._modules, watch).install()
        Optimizers(self._tape, self._cast, ledger, self._modules, watch).install()
        self._schedules = Schedules(self._tape, self._cast, ledger, watch)
        self._schedules.install()
        Scalers(self._tape, self._cast, ledger, self._gradients, watch).install()
        Attaching(self._tape, self._cast, ledger, self._modules).install()
        Costs(self._tape, self._cast, ledger).install()
        Casting(self._tape, self._cast).install()
        Overwriting(self._tape, self._cast, self._modules, self._gradients).install()
        Averaging(self._tape, self._modules).install()
        Uncalled(self._tape, self._cast, ledger, self._modules).install()
        Frameworks(self._tape, self._cast).install()

    @property
    def cast(self) -> Cast:
        """Who plays which role."""
        return self._cast

    @property
    def full(self) -> int:
        """How many events have been taken down."""
        return len(self._tape.moments)

    def events(self) -> list[Event]:
        """The whole run's events, their objects tied together and their facts complete."""
        return _completed(self._seen())

    def so_far(self) -> list[Event]:
        """The same, as if the run had come no further: made of a copy, for what is recorded goes on."""
        return _completed(pickle.loads(pickle.dumps(self._seen())))

    def _seen(self) -> _Seen:
        self._cast.look_around()
        return _Seen(
            self._tape.moments,
            self._cast.models,
            self._cast.owned,
            self._gradients.touched,
            self._data.passes,
            self._data.over,
            self._data.told,
            self._modules.learned,
            self._modules.before,
            self._schedules.lengths,
            self._data.sets,
            self._schedules.last,
            self._checkpoints.asked,
        )


@dataclass
class _Seen:
    """What was taken down, by those who did; nothing of it is torch's."""

    moments: list[Moment]
    models: list[Model]
    owned: dict[Role, set[int]]
    touched: dict[Event, frozenset[int]]
    passes: list[Moment]
    over: dict[int, Moment]
    told: dict[Role, list[int]]
    learned: dict[Event, int]
    before: dict[Event, list[Event]]
    lengths: dict[Role, int]
    sets: dict[Role, int]
    last: dict[Role, int | None]
    asked: set[Role]


def _completed(seen: _Seen) -> list[Event]:
    cast.tie(seen.models, seen.owned)
    gradients.settle(seen.touched, seen.models, seen.owned)
    moments, learned = told_as_one(seen.moments, seen.learned, seen.before)
    events = [moment.event for moment in moments]
    tie_states(events)
    tell_wrapped(events)
    tell_lacking(events, seen.asked, forgetful(events))
    tell_dropped(events, seen.asked)
    tie_weights(events)
    later.settle(moments, seen.passes, seen.over, seen.told, learned, seen.lengths, seen.sets)
    later.overrun(moments, seen.last)
    return events
