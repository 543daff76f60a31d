"""All hooks together, and the events that come of them."""

from __future__ import annotations

from loopcheck.loop import Event
from loopcheck.record import later, patch
from loopcheck.record.cast import Cast
from loopcheck.record.checkpoints import Checkpoints
from loopcheck.record.criteria import Criteria
from loopcheck.record.data import Data
from loopcheck.record.dropping import Dropping
from loopcheck.record.frameworks import Frameworks
from loopcheck.record.gradients import Gradients
from loopcheck.record.ledger import Ledger
from loopcheck.record.modules import Modules
from loopcheck.record.optimizers import Optimizers
from loopcheck.record.retaining import Retaining
from loopcheck.record.scalers import Scalers
from loopcheck.record.schedules import Schedules
from loopcheck.record.shards import Shards
from loopcheck.record.site import Sites
from loopcheck.record.tape import Tape
from loopcheck.record.uncalled import Uncalled
from loopcheck.record.watch import Watch
from loopcheck.states import tell_dropped, tell_lacking, tie_states


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
        Dropping(self._tape, sites).install()
        self._checkpoints = Checkpoints(self._tape, sites, self._cast, self._modules, watch)
        self._checkpoints.install()
        Retaining(self._tape, sites, self._modules).install()
        Shards(self._tape, self._modules, watch).install()
        Optimizers(self._tape, self._cast, ledger, self._modules, watch).install()
        self._schedules = Schedules(self._tape, self._cast, ledger, watch)
        self._schedules.install()
        Scalers(self._tape, self._cast, ledger, self._gradients, watch).install()
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
        self._cast.settle()
        self._gradients.settle()
        seen = [moment.event for moment in self._tape.moments]
        tie_states(seen)
        tell_lacking(seen)
        tell_dropped(seen, self._checkpoints.asked)
        data, learned, schedules = self._data, self._modules.learned, self._schedules
        later.settle(self._tape.moments, data.passes, data.over, data.told, learned, schedules.lengths)
        later.overrun(self._tape.moments, schedules.last)
        return [moment.event for moment in self._tape.moments]
