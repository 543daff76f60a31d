"""Settings, as literals."""
STEPS = 4
OPTIONS = {"rate": 5}
try:
    EITHER = 1
except ValueError:
    EITHER = 2
if __name__ == "__main__":
    #? unreached
    GUARDED = 1
