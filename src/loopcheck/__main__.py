"""`python -m loopcheck`."""

from loopcheck.cli import main

if __name__ == "__main__":  # another process may load this to find its work
    main()
