"""Random numbers and Metropolis criterion in plain Python, bit for bit identical to the kernels."""

from __future__ import annotations

from typing import Final

WORD: Final = 2**64
SERIES: Final = (
    0.6931471805599453, 0.2402265069591007, 0.05550410866482158, 0.009618129107628477,
    0.0013333558146428443, 0.00015403530393381608, 0.00001525273380405984,
)  # fmt: skip
"""Coefficients of the power series of 1 - 2^-f, without signs, as in ``symmetric.h``."""

LOG2_E: Final = 1.4426950408889634


def rises(rise: float, scale: float, key: int, counter: int) -> bool:
    """Return whether exp(-rise / T) exceeds the random number of ``counter``; ``scale`` is log2(e) / T."""
    bits = rise * scale if rise > 0 else 0.0
    if not bits < 31:
        return False
    whole = int(bits)
    f = bits - whole
    p = SERIES[-1]
    for factor in SERIES[-2::-1]:
        p = factor - f * p
    p = 1.0 - f * p
    return random_bits(key, counter) * float(1 << whole) < p * 4294967296.0


def random_mix(z: int) -> int:
    """Return the splitmix64 finaliser of 64 bits."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def random_key(seed: int, climber: int) -> int:
    """Return the key of a climber's random numbers."""
    return random_mix((random_mix((seed + 0x9E3779B97F4A7C15) % WORD) + (climber + 1) * 0xD1B54A32D192ED03) % WORD)


def random_bits(key: int, counter: int) -> int:
    """Return the 32 random bits of ``counter``."""
    return random_mix((key + (counter + 1) * 0x9E3779B97F4A7C15) % WORD) >> 32
