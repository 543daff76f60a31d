"""`python -m loopcheck.record`: see `loopcheck.record.child.main`."""

import sys

from loopcheck.record.child import main

sys.exit(main(sys.argv[1:]))
