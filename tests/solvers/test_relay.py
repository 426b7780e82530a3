"""Where one method is stuck far from its proof, the next one goes on."""

from dataclasses import replace

import numpy as np

from infimum.data.designs import as_design
from infimum.losses import Logistic
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import Newton, choose, relay
from infimum.solvers.progress import INTERRUPTED, STUCK, Iterate


def risk_of(rng):
    X = rng.normal(size=(40, 3))
    y = np.where(X[:, 0] + rng.normal(size=40) > 0, 1.0, -1.0)
    return LinearRisk(as_design(X), y, Logistic(), Ridge(0.01))


def ends_at_once(solver, here):
    yield Iterate(here, 0)


def wanders_off(solver, here):
    """Pass through a worse point, and be interrupted there."""
    yield Iterate(here.risk.evaluate(here.point + 1.0), 0)
    raise KeyboardInterrupt


def next_kind(risk):
    return choose(risk, after=Newton)


def test_the_next_method_goes_on_where_one_is_stuck(rng, monkeypatch):
    risk = risk_of(rng)
    monkeypatch.setattr(Newton, "_descend", ends_at_once)
    assert Newton().solve(risk).reason == STUCK
    found = relay(Newton(), risk)
    assert next_kind(risk) is not Newton
    assert found.certified


def test_an_interruption_of_the_second_method_is_not_forgotten(rng, monkeypatch):
    risk = risk_of(rng)
    monkeypatch.setattr(Newton, "_descend", ends_at_once)
    monkeypatch.setattr(next_kind(risk), "_descend", wanders_off)
    stuck, found = Newton().solve(risk), relay(Newton(), risk)
    assert found.reason == INTERRUPTED
    assert replace(found.certificate, reason=STUCK) == stuck.certificate
    np.testing.assert_array_equal(found.point, stuck.point)


def test_the_second_method_has_the_seconds_that_are_left(rng, monkeypatch):
    risk, given = risk_of(rng), []
    kind = next_kind(risk)

    def watched(solver, here):
        given.append(solver.max_seconds)
        yield Iterate(here, 0)

    monkeypatch.setattr(Newton, "_descend", ends_at_once)
    monkeypatch.setattr(kind, "_descend", watched)
    relay(Newton(max_seconds=100.0), risk)
    relay(Newton(), risk)
    assert 0.0 < given[0] < 100.0
    assert given[1] is None
