"""What uses another module."""
from config import STEPS


class Engine:
    steps = STEPS

    def backward(self):
        pass


def run():
    #? 8
    return STEPS * 2
