"""How long problems take, and how a given time is shared among them."""
import time

SPEED = 4e10  # useful operations per second, roughly a library's on one core
CALLS = 22  # of all libraries together, trials and conversions of results included
FIXED = 2.0  # seconds, whatever the size


def estimate(problem):
    """Seconds for both operators, within a factor of two."""
    rings = 2.0 if problem.kind == "healpix" else 1.0
    operations = (1.0 if problem.spin == 0 else 3.3) * problem.ntrans * rings * problem.lmax ** 3
    return len(problem.operators) * (FIXED + CALLS * operations / SPEED)


class Purse:
    def __init__(self, minutes, problems_left):
        """minutes: for all, or None: as long as it takes."""
        self.end = time.monotonic() + 60.0 * minutes if minutes else None
        self.left = [estimate(problem) for problem in problems_left]

    def open(self):
        """Seconds for the next problem (0: it does not fit), or None: as long as it takes."""
        mine, every = self.left[0], sum(self.left)
        self.left.pop(0)
        if self.end is None:
            return None
        left = self.end - time.monotonic()
        return 0.0 if left < 0.5 * mine else left * mine / every
