"""`python -m loopcheck`."""

from loopcheck.cli import main

main()
