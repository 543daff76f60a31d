"""`python -m loopcheck` in a folder imports nothing from there: what lies beside a script is judged, and never run."""

import sys

if sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", False):  # so it is while Python looks for what it will run
    del sys.path[0]
