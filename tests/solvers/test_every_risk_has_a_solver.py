"""No pair of parts leaves the user without a solver, or without a reason."""

import sys
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

from infimum.data.designs import as_design
from infimum.errors import IncompatibleError
from infimum.losses import Absolute, Hinge, Logistic, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import Box, GroupLasso, Lasso, Ridge
from infimum.solvers import (
    AugmentedLagrangian,
    InteriorPoint,
    Newton,
    ProximalGradient,
    choose,
)
from tests.laws.parts import (
    EVERY_LOSS,
    EVERY_PENALTY,
    EVERY_SOLVER,
    EVERY_VECTOR_LOSS,
)
from tests.solvers.problems import problem

CONVEX = [penalty for penalty in EVERY_PENALTY if getattr(penalty, "convex", True)]
every_solver = pytest.mark.parametrize("solver", EVERY_SOLVER, ids=lambda s: s.__name__)


@pytest.mark.parametrize("loss", EVERY_LOSS + EVERY_VECTOR_LOSS, ids=repr)
def test_every_pair_has_a_solver_without_objection(loss):
    for penalty in CONVEX:
        risk = problem(loss, penalty, d=6)
        chosen = choose(risk)
        assert chosen in EVERY_SOLVER
        assert chosen().objection(risk) is None


@every_solver
def test_an_objection_is_a_reason_in_words_and_stops_the_solve(solver):
    objections = 0
    for loss, penalty in product(EVERY_LOSS + EVERY_VECTOR_LOSS, CONVEX):
        risk = problem(loss, penalty, d=6)
        objection = solver().objection(risk)
        if objection is None:
            continue
        objections += 1
        parts = {type(loss).__name__, type(penalty).__name__}
        assert any(name in objection for name in parts), objection
        assert len(objection.split()) >= 4
        assert not objection.endswith(".")
        with pytest.raises(IncompatibleError) as refusal:
            solver().solve(risk)
        message = str(refusal.value)
        assert message.startswith(f"{solver.__name__} cannot start: ")
        assert message.endswith(f"{objection}.")
    # A method that takes every pair needs no words.
    accepts_all = objections == 0
    assert not accepts_all or solver().objection(problem(Absolute(), Lasso())) is None


def test_a_solver_that_fits_is_preferred_for_each_kind_of_pair():
    assert choose(problem(Squared(), Ridge())) is Newton
    assert choose(problem(Hinge(), Ridge())) is InteriorPoint
    assert choose(problem(Logistic(), GroupLasso())) is AugmentedLagrangian
    wide = problem(Logistic(), GroupLasso(), n=10, d=2_001)
    assert choose(wide) is ProximalGradient


@dataclass(frozen=True)
class Stubborn(Absolute):
    """A loss with a kink and nothing in closed form."""

    prox_formula: ClassVar = None

    def pieces(self, y):
        return None


@dataclass(frozen=True)
class Walls(Box):
    """A penalty that nobody has met before."""


def test_when_nobody_fits_the_error_names_both_parts_and_every_reason(monkeypatch):
    room = sys.modules[choose.__module__]
    shelf = [s for s in EVERY_SOLVER if s().objection(_hopeless()) is not None]
    monkeypatch.setattr(room, "preferences", lambda _: shelf)
    with pytest.raises(IncompatibleError) as refusal:
        choose(_hopeless())
    message = str(refusal.value)
    assert message.startswith("No solver fits Stubborn with Walls: ")
    assert message.endswith(".")
    assert len(shelf) >= 7
    assert all(f"{solver.__name__}: " in message for solver in shelf)


def _hopeless():
    return LinearRisk(as_design(np.eye(3)), np.ones(3), Stubborn(), Walls())


@every_solver
@pytest.mark.parametrize(
    ("setting", "value"),
    [("tolerance", 0.0), ("tolerance", -1.0), ("max_iterations", 0)],
)
def test_a_solver_refuses_a_budget_that_makes_no_sense(solver, setting, value):
    with pytest.raises(ValueError, match=rf"{solver.__name__}\.{setting} must be"):
        solver(**{setting: value})
