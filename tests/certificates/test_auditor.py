"""The auditor: what it accepts, what it catches, and what it leaves open."""

import ast
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from infimum.certificates import auditor, certify
from infimum.certificates.auditor import audit
from infimum.certificates.rigorous import (
    audit_linear,
    described_loss,
    described_penalty,
    proposed_slopes,
)
from infimum.losses import Huber, Logistic, Probit, Quantile, Squared
from infimum.models.linear._problem import LinearProblem
from infimum.penalties import Ridge
from infimum.solvers import choose, relay
from tests.certificates.adversaries import fitted, losses, penalties, targets

SQUARED, RIDGE = {"name": "squared"}, {"name": "ridge", "strength": 0.5}


def test_the_auditor_is_one_short_file_that_knows_nothing_but_numpy():
    text = Path(auditor.__file__).read_text(encoding="utf-8")
    imports = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Import)]
    others = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)]
    assert {alias.name for node in imports for alias in node.names} == {"math", "numpy"}
    assert {node.module for node in others} == {"dataclasses", "typing"}
    assert text.count("\n") <= 400


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_it_never_contradicts_a_closed_proof_and_proves_nearly_all_of_them(seed):
    closed, proved = 0, 0
    for number in range(seed, seed + 10):
        case = fitted(number)
        fast = certify(case.risk, case.point, case.options["slopes"])
        slow = audit_linear(*case[:6], **case.options)
        # A fit in single precision was proved in single precision.
        rounding = 1e-5 if case.X.dtype == np.float32 else 1e-8
        rounding *= fast.scale + abs(fast.primal)
        if not -rounding <= fast.primal - fast.dual <= 1e-6 * fast.scale:
            continue  # open, or in contradiction to itself
        closed, proved = closed + 1, proved + slow.closed
        assert fast.dual <= slow.primal + rounding
        assert slow.dual <= fast.primal + rounding
    assert proved >= closed - 1


def planted():
    """Return solved problems of every loss with two penalties."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    for loss in losses(rng):
        for penalty in penalties(0.05, 3)[1:3]:
            y = targets(np.random.default_rng(1), loss, X)
            problem = LinearProblem.of(X, (y,), loss, None, intercept=True)
            risk = problem.risks(penalty)[0]
            found = relay(choose(risk)(tolerance=1e-9), risk)
            coef, intercept = problem.unpack(found.point)
            case = {
                "loss": described_loss(loss),
                "penalty": described_penalty(penalty),
                "coef": coef.T,
                "intercept": intercept,
                "slopes": proposed_slopes(risk, found.point, found.slopes),
                "tolerance": 1e-6 * risk.scale,
                "weights": np.ones(len(y)),
            }
            name = f"{type(loss).__name__}-{type(penalty).__name__}"
            yield pytest.param(X, y, case, id=name)


@pytest.mark.parametrize("X, y, case", list(planted()))
def test_every_planted_error_is_caught(X, y, case):
    good = audit(X, y, **case)
    assert good.verdict == "proved"
    moved = {**case, "coef": case["coef"] * 1.05}
    assert audit(X, y, **moved).verdict == "open"
    scaled = {**case, "slopes": case["slopes"] * 0.9}
    assert audit(X, y, **scaled).verdict == "open"
    used = np.abs(case["slopes"]).reshape(len(y), -1).sum(axis=1)
    heavy = int(np.argmax(used))
    dropped = {**case, "weights": np.where(np.arange(len(y)) == heavy, 0.0, 1.0)}
    assert audit(X, y, **dropped).verdict == "open"
    exchanged, light = np.array(X), int(np.argmin(used))
    exchanged[[heavy, light]] = X[[light, heavy]]
    assert audit(exchanged, y, **case).verdict == "open"
    claimed = good.lower + 2.0 * (good.upper - good.lower)
    assert claimed > good.upper  # so the claim that none is below it is refuted


def test_columns_without_a_price_that_nearly_agree_prove_nothing_false():
    # The optimum is 0 up to the rounding of the data; a proof of 0.764 was once given.
    rng = np.random.default_rng(0)
    for width in 10.0 ** -np.arange(4.0, 13.0):
        a, z = rng.standard_normal((2, 50))
        X = np.column_stack([a, a + width * z])
        y = (X[:, 1] - X[:, 0]) / width
        start = np.linalg.lstsq(X, y, rcond=None)[0]
        for coef in (start, 0.0 * start, np.array([-1.0, 1.0]) / width):
            slopes = X @ coef - y
            slopes = slopes - X @ np.linalg.lstsq(X, slopes, rcond=None)[0]
            case = {"loss": SQUARED, "penalty": {"name": "none"}, "intercept": None}
            found = audit(X, y, coef=coef, slopes=slopes, **case)
            assert found.lower <= 1e-20
    good = audit(X, y, coef=coef, slopes=0.0 * y, tolerance=1e-10, **case)
    assert good.verdict == "proved"


def gram(seed=0, n=80):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, 1))
    return np.exp(-0.5 * (X - X.T) ** 2), np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)


def test_kernels_are_audited_by_their_gram_matrix():
    K, y = gram()
    strength = 0.01
    coef = np.linalg.solve(K + strength * len(y) * np.eye(len(y)), y)
    case = {"loss": SQUARED, "penalty": {"name": "ridge", "strength": strength}}
    case |= {"coef": coef, "intercept": None, "slopes": K @ coef - y, "gram": True}
    assert audit(K, y, tolerance=1e-10, **case).verdict == "proved"
    assert audit(K, y, tolerance=1e-4, **{**case, "coef": 1.1 * coef}).verdict == "open"
    lower = audit(
        K, y, **{**case, "coef": 0.0 * coef, "slopes": 0.5 * case["slopes"]}
    ).lower
    assert lower < audit(K, y, **case).lower
    crooked = K + np.triu(np.full_like(K, 1e-3), 1)
    assert audit(crooked, y, **case).lower == -np.inf
    indefinite = K - 0.1 * np.eye(len(y))
    assert "positive definite" in audit(indefinite, y, **case).reason


def test_sparse_samples_and_weights_that_are_copies_give_the_same_bounds():
    rng = np.random.default_rng(2)
    X, y = np.round(rng.standard_normal((30, 4))), rng.standard_normal(30)
    counts = rng.integers(1, 4, 30)
    coef, slopes = rng.standard_normal(4), rng.standard_normal(30)
    case = {"loss": SQUARED, "penalty": {"name": "lasso", "strength": 0.5}}
    case |= {"coef": coef, "intercept": 0.3}
    dense = audit(X, y, slopes=slopes, weights=counts, **case)
    thin = audit(sparse.csr_array(X), y, slopes=slopes, weights=counts, **case)
    rows = np.repeat(np.arange(30), counts)
    copies = audit(X[rows], y[rows], slopes=slopes[rows], **case)
    for other in (thin, copies):
        assert np.isclose(other.upper, dense.upper, rtol=1e-12, atol=0)
        assert np.isclose(other.lower, dense.lower, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "y, changes, said",
    [
        ([1.0, 0.0], {"loss": {"name": "logistic"}}, "do not suit the loss"),
        ([1.0, -2.0], {"loss": {"name": "poisson"}}, "do not suit the loss"),
        ([1.0, 2.0], {"loss": {"name": "ramp"}}, "does not know this loss"),
        ([1.0, 2.0], {"penalty": {"name": "mcp"}}, "does not know this loss"),
        ([1.0, 2.0], {"weights": [1.0, -1.0]}, "do not suit the loss"),
        ([1.0, np.inf], {}, "too large"),
    ],
)
def test_what_it_cannot_judge_is_left_open_with_a_reason(y, changes, said):
    case = {"loss": SQUARED, "penalty": RIDGE, "coef": [0.5], "intercept": 0.0}
    found = audit(
        np.eye(2)[:, :1], y, slopes=[0.0, 0.0], tolerance=1.0, **(case | changes)
    )
    assert found.verdict == "open"
    assert found.lower == -np.inf
    assert said in found.reason


def test_a_point_outside_the_box_has_no_finite_risk():
    box = {"name": "box", "low": 0.0, "high": 1.0}
    case = {"loss": SQUARED, "penalty": box, "intercept": None, "slopes": [0.0]}
    assert audit([[1.0]], [1.0], coef=[1.5], **case).upper == np.inf
    assert audit([[1.0]], [1.0], coef=[1.0], **case).upper < 1e-299


def test_names_and_parameters_are_those_of_the_parts_of_the_house():
    assert described_loss(Huber(1.35)) == {"name": "huber", "delta": 1.35}
    assert described_loss(Quantile(0.3)) == {"name": "quantile", "level": 0.3}
    assert described_penalty(Ridge(2.0)) == {"name": "ridge", "strength": 2.0}
    X, y = np.eye(3)[:, :2], np.array([1.0, -1.0, 1.0])
    open_ = audit_linear(X, y, Probit(), Ridge(1.0), np.zeros(2), 0.0)
    assert not open_.closed
    assert "does not know" in open_.reason
    for loss in (Logistic(), Squared()):
        assert described_loss(loss)["name"] in auditor._LOSSES
