"""Small tables to learn from, and what was learned of them."""

import numpy as np
import polars as pl
import pytest

import infimum


def make_rows(n=160, seed=5):
    rng = np.random.default_rng(seed)
    size, noise = rng.normal(size=n), rng.normal(size=n)
    colour = rng.choice(["red", "green", "blue"], n)
    signal = 2 * size + 1.5 * (colour == "red") + 0.5 * rng.normal(size=n)
    middle = np.median(signal)
    return pl.DataFrame(
        {
            "size": [None if i % 17 == 0 else float(v) for i, v in enumerate(size)],
            "noise": noise,
            "colour": colour,
            "signal": signal,
            "verdict": np.where(signal + rng.normal(size=n) > middle, "yes", "no"),
            "grade": np.digitize(signal, np.quantile(signal, [0.3, 0.7])),
            "visits": rng.poisson(np.exp(0.3 * signal)),
        }
    )


@pytest.fixture(scope="session")
def rows():
    return make_rows()


@pytest.fixture(scope="session")
def binary_table(rows):
    return rows.select("size", "noise", "colour", "verdict")


@pytest.fixture(scope="session")
def learned(binary_table):
    # Whoever compares runs wants them to finish, however busy the machine is.
    return infimum.learn(binary_table, "verdict", budget=600.0)


@pytest.fixture(scope="session", autouse=True)
def one_sweep():
    """Race one sweep of five strengths instead of three: the same job, sooner done."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infimum.learn.compare.race.SWEEPS", 1)
        yield
