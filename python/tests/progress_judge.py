"""Judges of progress: reports rise to 1, a callback stops a call, however fast the machine."""
import pytest

import armilla


def lasting(call, most=1 << 20):
    """Doubles count until call(count, progress) makes three reports before its last: they come at
    most twenty times a second. Returns count and what was reported."""
    count = 1
    while True:
        seen = []
        call(count, seen.append)
        if len(seen) > 3 or count > most:
            return count, seen
        count *= 2


def check_progress(call, stop=lambda fraction: True):
    """call(count, progress) works on so many transforms, maps or iterations."""
    count, seen = lasting(call)
    assert len(seen) > 3 and seen == sorted(seen) and 0 <= seen[0] < 1 and seen[-1] == 1
    assert seen.count(1.0) <= len(seen) / 2
    with pytest.raises(armilla.Cancelled):
        call(2 * count, stop)
    return count
