"""`python -m loopcheck.record`: see `child.main`, and with `--nursery` `nursery.serve`."""

import sys

from loopcheck.record.child import main
from loopcheck.record.nursery import serve

sys.exit(serve() if sys.argv[1:] == ["--nursery"] else main(sys.argv[1:]))
