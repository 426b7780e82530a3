"""Draws: their diagnostics against arviz, what they say and show."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from infimum.distributions.sampling import (
    Draws,
    Hamiltonian,
    bulk_ess,
    diagnose,
    mean_error,
    mean_ess,
    rank_rhat,
    tail_ess,
)
from infimum.errors import DataError, InvalidParameterError


def example():
    rng = np.random.default_rng(7)
    noise = rng.normal(size=(4, 501, 3))
    x = noise.copy()
    for t in range(1, 501):
        x[:, t, 1] = 0.9 * x[:, t - 1, 1] + noise[:, t, 1]
    x[:, :, 2] = np.round(x[:, :, 2] + 0.1 * np.arange(4)[:, None])
    return x


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (rank_rhat, [1.002052693756932, 1.0248583630087411, 1.010708105729368]),
        (bulk_ess, [1955.9004013226445, 110.40131365243103, 1479.3426489058209]),
        (tail_ess, [1857.317654517223, 175.30571061446278, 1784.744953413398]),
        (mean_ess, [1964.9368218560628, 110.1517291605599, 1482.16318480558]),
        (mean_error, [0.02254874030605385, 0.2190964266707094, 0.02747226907288396]),
    ],
)
def test_diagnostics_are_those_of_arviz(ours, theirs):
    # What arviz 0.23.4 says of the same draws: independent, correlated, rounded ones.
    assert ours(example()) == pytest.approx(theirs, rel=1e-9)
    assert ours(example()[:, :, 0]) == pytest.approx(theirs[0], rel=1e-9)


def test_a_chain_that_hardly_moves_is_named_and_shown_by_the_summary():
    values = np.random.default_rng(0).normal(size=(3, 400, 2))
    values[2, :200], values[2, 200:] = 0.1, -0.1
    told = "Chain 2 is stuck: it moved 1 times in 400 draws."
    draws = Draws(values)
    assert draws.problems() == [told]
    assert str(draws.summary()).splitlines()[-1] == told
    # Half of the proposals rejected is nothing to complain of.
    lazy = np.repeat(np.random.default_rng(0).normal(size=(3, 2000, 1)), 2, axis=1)
    assert Draws(lazy).problems() == []


def test_a_stuck_or_divergent_chain_is_named():
    values = np.random.default_rng(0).normal(size=(3, 200, 1))
    values[1] = 0.5
    assert Draws(values).problems() == ["Chain 1 is stuck: it never moved."]
    moving = np.random.default_rng(0).normal(size=(3, 200, 1))
    told = Draws(moving, divergences=np.array([0, 0, 7])).problems()
    assert told == ["Chain 2 diverged 7 times: take smaller steps."]
    apart = Draws(moving + np.arange(3)[:, None, None], names=("mu",)).problems()
    assert "The chains disagree about mu" in apart[0]
    moving[1] += 5.0
    assert "chain 1 lies furthest from the others." in Draws(moving).problems()[0]

    def funnel(x):
        scale = np.exp(np.clip(x[:, :1], -300, 300))
        value = (
            -(x[:, 0] ** 2) / 18 - (x[:, 1:] ** 2 / (2 * scale)).sum(1) - x[:, 0] * 4.5
        )
        first = -x[:, 0] / 9 + (x[:, 1:] ** 2 / (2 * scale)).sum(axis=1) - 4.5
        return value, np.column_stack([first, -x[:, 1:] / scale])

    found = Hamiltonian(draws=300, warmup=100).sample(
        funnel, np.random.default_rng(0).normal(size=(4, 10)), random_state=0
    )
    assert found.problems()


def test_draws_summarise_print_and_plot():
    draws = Draws(example(), names=("a", "b", "c"))
    text = str(draws.summary())
    assert text.splitlines()[1].startswith("a ")
    # The mean of a is known to two decimals only.
    assert text.splitlines()[1].split()[1].count(".") == 1
    assert len(text.splitlines()[1].split()[1].split(".")[1]) == 2
    figure = draws.plot(1)
    assert len(figure.data) == 12
    with pytest.raises(InvalidParameterError, match=r"plot\.parameter must .* got 3"):
        draws.plot(3)
    with pytest.raises(DataError, match="4 draws or"):
        Draws(np.zeros((4, 3, 1))).summary()
    with pytest.raises(DataError, match="3 names"):
        Draws(example(), names=("a",))


def test_arviz_is_handed_the_names(monkeypatch):
    def old(posterior, coords=None, dims=None):
        return posterior["x"].shape, coords, dims

    def new(data, *, coords=None, dims=None):
        return data["posterior"]["x"].shape, coords, dims

    names = {"parameter": ["a", "b", "c"]}, {"x": ["parameter"]}
    for reader in (old, new):
        monkeypatch.setitem(sys.modules, "arviz", SimpleNamespace(from_dict=reader))
        found = Draws(example(), names=("a", "b", "c")).to_arviz()
        assert found == ((4, 501, 3), *names)
        assert Draws(example()[:, :, 0]).to_arviz() == ((4, 501), None, None)


def test_arviz_is_asked_for_only_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(DataError, match="needs arviz"):
        Draws(example()).to_arviz()


@pytest.mark.parametrize(
    ("draws", "theirs"),
    [
        (10, [1.0914988433333446, 32.579895709208486, 44.62674323215751]),
        (9, [1.0614579885459834, 48.16479930623699, 48.16479930623699]),
    ],
)
def test_diagnostics_of_few_draws_are_those_of_arviz(draws, theirs):
    # arviz 0.23.4: the last pair of lags counts with its first, whatever its sign.
    rows = """0 -1 -1 0 0 0 0 2 2 1   0 -1 0 1 -1 -1 1 1 0 0
        2 3 0 0 0 -1 -1 0 1 0   1 0 0 0 0 0 -1 -1 1 -1"""
    found = diagnose(np.array(rows.split(), float).reshape(4, 10)[:, :draws])
    assert [float(each) for each in found[:3]] == pytest.approx(theirs, rel=1e-9)


def test_a_parameter_that_stays_in_one_chain_is_named():
    values = np.random.default_rng(0).normal(size=(3, 400, 2))
    values[1, :, 1] = 0.3
    told = Draws(values, names=("a", "b")).problems()
    assert told == ["Chain 1 is stuck in b: it never moved."]
