"""Numbers of equidistant rings to try. Doubled over the poles, n rings are the points
theta_j = pi (2 j + a) / P of a circle of P points, and P is the length of the FFTs in theta: what
it factors into decides their speed."""
import itertools
import math

# geometry: (P - 2 n, a)
CIRCLES = {"CC": (-2, 0), "F1": (0, 1), "MW": (-1, 1), "MWSS": (-2, 0), "MWFLIP": (-1, 0)}


def circle_length(geometry, nrings):
    return 2 * nrings + CIRCLES[geometry][0]


def colatitudes(geometry, nrings):
    shift = CIRCLES[geometry][1]
    return [math.pi * (2 * j + shift) / circle_length(geometry, nrings) for j in range(nrings)]


def fewest(geometry, lmax):
    """The smallest number of rings whose analysis is exact."""
    return lmax + (2 if geometry in ("CC", "MWSS") else 1)


def largest_prime(number):
    """The largest prime factor."""
    factor = 2
    while factor * factor <= number:
        if number % factor:
            factor += 1
        else:
            number //= factor
    return number


def is_prime(number):
    return number > 1 and largest_prime(number) == number


# What is asked of the circle's length. MW and MWFLIP have odd lengths: no twice there.
CHOICES = {
    "fewest": lambda length: True,
    "smooth": lambda length: largest_prime(length) <= 7,
    "eleven": lambda length: largest_prime(length) == 11,
    "prime": lambda length: is_prime(length if length % 2 else length // 2),
}


def rings(geometry, lmax, choice):
    """The smallest exact number of rings whose circle has a length of the choice."""
    return next(n for n in itertools.count(fewest(geometry, lmax))
                if CHOICES[choice](circle_length(geometry, n)))


def distinct_choices(geometry, lmax, choices):
    """Without those that give the number of rings of one before."""
    found = {}
    for choice in choices:
        found.setdefault(rings(geometry, lmax, choice), choice)
    return list(found.values())
