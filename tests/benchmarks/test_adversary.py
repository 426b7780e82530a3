"""The adversary sees what is there: formulas that are right, lies that are planted."""

import json
import os
import subprocess
import sys
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.adversary.attack import draw
from benchmarks.adversary.command import main
from benchmarks.adversary.losses import SCALAR, scalar_loss
from benchmarks.adversary.pairs import convex_parts, snake
from benchmarks.adversary.penalties import PENALTIES, make_penalty
from benchmarks.adversary.precision import LD, scores_of, triangle_of
from benchmarks.adversary.risk import Point, Risk
from benchmarks.adversary.vector_losses import VECTOR, vector_loss
from benchmarks.adversary.verdict import judge, statement_of
from infimum.certificates import Certificate
from infimum.models.linear import Lasso, LinearRegression

ROOT = Path(__file__).parent.parent.parent
LOSSES, PENALTY_KINDS = convex_parts()


def small_table(d=3):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, d))
    return X, X[:, 0] + 0.5 * rng.standard_normal(20)


def known_parameters(part):
    return {field.name: getattr(part, field.name) for field in fields(part)}


def test_the_judge_has_a_formula_of_its_own_for_every_convex_part_that_is_exported():
    known = {*SCALAR, *VECTOR}
    assert {snake(kind.__name__) for kind in LOSSES} <= known
    assert {snake(kind.__name__) for kind in PENALTY_KINDS} <= set(PENALTIES)


@pytest.mark.parametrize("kind", LOSSES, ids=lambda kind: kind.__name__)
def test_two_people_who_wrote_down_a_loss_agree(kind):
    rng, loss, name = np.random.default_rng(0), kind(), snake(kind.__name__)
    n = 30
    y = {
        "sign": rng.choice([-1.0, 1.0], n), "real": rng.standard_normal(n),
        "count": rng.integers(0, 5, n) * 1.0, "positive": rng.uniform(0.1, 3, n),
        "fraction": rng.uniform(0, 1, n), "class": rng.integers(0, 3, n) * 1.0,
        "labels": rng.integers(0, 2, (n, 3)) * 1.0,
        "vector": rng.standard_normal((n, 2)),
    }[loss.target]  # fmt: skip
    f = rng.standard_normal((n, getattr(loss, "outputs", 1)))
    if name == "heteroscedastic_gaussian":
        f[:, 1] = abs(f[:, 1]) + 0.1
    several = name in VECTOR
    given = known_parameters(loss)
    ours = vector_loss(name, f.shape[1]) if several else scalar_loss(name, **given)
    risk = Risk(f, y, None, ours, make_penalty("no_penalty"), intercept=False)
    z = risk.argument(Point(np.eye(f.shape[1], dtype=LD), np.zeros(f.shape[1], LD)))
    theirs = loss.value(y, f if several else f[:, 0])
    np.testing.assert_allclose(sum(ours.terms(risk.y, z)).astype(float), theirs, 1e-12)


@pytest.mark.parametrize("kind", PENALTY_KINDS, ids=lambda kind: kind.__name__)
def test_two_people_who_wrote_down_a_penalty_agree(kind):
    part, rng = kind(), np.random.default_rng(0)
    ours = make_penalty(snake(kind.__name__), **known_parameters(part))
    W = ours.mend(rng.standard_normal((4, 2)).astype(LD))
    assert ours.outside(W) <= 1e-15
    theirs = part.value(W.astype(float))
    assert float(ours.value(W)) == pytest.approx(theirs, rel=1e-12, abs=1e-15)


def test_scores_are_right_to_more_digits_than_any_single_number_has():
    X = np.array([[1e16, 1.0, -1e16]])
    high, low = scores_of(X.astype(LD), np.array([[1.0], [1e-9], [1.0]], LD), LD(0))
    exact = Fraction(1e-9)
    assert Fraction(float(high[0, 0] + low[0, 0])) == exact


def test_the_triangle_solves_least_squares_in_long_doubles():
    X, y = small_table()
    tri = triangle_of(X)
    w = tri.solve(tri.basis().T @ y.astype(LD)[:, None])[:, 0]
    slope = X.astype(LD).T @ (X.astype(LD) @ w - y)
    assert float(abs(slope).max()) < 1e-17


def fitted(alpha=0.1):
    X, y = small_table()
    model = Lasso(alpha=alpha, tol=1e-10).fit(X, y)
    risk = Risk(
        X, y, None, scalar_loss("squared"), make_penalty("lasso", strength=alpha)
    )
    W, b = model.coef_.astype(LD)[:, None], np.array([model.intercept_], LD)
    return model.certificate_, risk, Point(W, b)


def test_an_honest_proof_is_left_alone():
    proof, risk, point = fitted()
    honest = replace(proof, dual=proof.dual - 1e-14)
    assert judge(statement_of(risk, point), honest) == []


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"dual": 1e-9, "primal": 1e-9}, "dual above optimum"),
        ({"dual": -0.1, "primal": -0.1}, "risk misstated"),
        ({"dual": 0.1}, "invalid"),
        ({"dual": np.nan}, "NaN"),
    ],
)
def test_a_planted_lie_is_found(change, kind):
    proof, risk, point = fitted()
    moved = {name: getattr(proof, name) + step for name, step in change.items()}
    found = judge(statement_of(risk, point), replace(proof, **moved))
    # Bounds that contradict each other are known by that already.
    assert {kind, "invalid"} & {finding.kind for finding in found}


def test_a_point_that_is_moved_is_no_longer_optimal():
    proof, risk, point = fitted()
    moved = point._replace(W=point.W + LD(0.01))
    primal = risk.value(moved).risk
    lie = Certificate(primal, primal, scale=proof.scale, tolerance=1e-10)
    kinds = {finding.kind for finding in judge(statement_of(risk, moved), lie)}
    assert {"false proof", "dual above optimum"} <= kinds


def test_a_gap_that_is_closed_in_a_larger_unit_is_found():
    proof, risk, point = fitted()
    wide = Certificate(proof.primal, proof.primal - 1e-3, scale=1e9, tolerance=1e-10)
    kinds = {finding.kind for finding in judge(statement_of(risk, point), wide)}
    assert kinds == {"inflated scale"}


def test_a_large_slack_excuses_nothing():
    _, risk, point = fitted()
    moved = point._replace(b=point.b + LD(1))
    primal = risk.value(moved).risk
    numbers = {"primal": primal, "dual": primal - 2.0, "scale": 0.0, "slack": 2.0}
    lie = SimpleNamespace(**numbers, tolerance=1e-4, closed=True)
    kinds = {finding.kind for finding in judge(statement_of(risk, moved), lie)}
    assert "false proof" in kinds


def test_the_witness_is_as_good_for_a_table_mixed_with_a_bad_condition():
    X, y = small_table(d=2)
    bad = np.column_stack([X[:, 0], X[:, 0] + 1e-10 * X[:, 1]])
    risk = Risk(bad, y, None, scalar_loss("squared"), make_penalty("no_penalty"))
    null = risk.null()
    said = statement_of(risk, null)
    w = LinearRegression().fit(X, y)
    good = Risk(X, y, None, scalar_loss("squared"), make_penalty("no_penalty"))
    point = Point(w.coef_.astype(LD)[:, None], np.array([w.intercept_], LD))
    assert said.best.risk == pytest.approx(good.value(point).risk, rel=1e-5)


def test_a_seed_is_a_problem():
    first, second = draw(7)[1], draw(7)[1]
    assert repr(first.estimator) == repr(second.estimator)
    assert first.data.notes == second.data.notes


def test_a_few_dozen_problems_are_attacked_and_counted(tmp_path):
    out = tmp_path / "failures.json"
    code = [sys.executable, "-m", "benchmarks.adversary", "--quick", "--out", str(out)]
    done = subprocess.run(
        code, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": f"{ROOT}/src:{ROOT}"},
    )  # fmt: skip
    failures = json.loads(out.read_text())
    assert done.returncode == (1 if failures else 0), done.stderr
    assert "| all | 60 |" in done.stdout
    assert not [failure for failure in failures if "judge" in failure]


def test_a_replay_tells_what_came_of_one_seed(capsys):
    code = main(["--quick", "--replay", "3"])
    told = json.loads(capsys.readouterr().out)
    assert told["seed"] == 3
    assert code == int(bool(told["findings"]))
