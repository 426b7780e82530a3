"""Planes, distances and margins: the geometry that support vector machines optimise."""

import numpy as np
import pytest
from sklearn import svm

from infimum.evaluation import margins
from infimum.models.kernel import SVC
from infimum.study.convexity import AffineSet, HalfSpace
from tests.models.kernel.support_vectors.svm_programs import clouds, hard_primal, solved


def hard(X, y):
    """Return w, b and the machine whose price of a violation is out of reach."""
    model = SVC(kernel="linear", C=1e6, tol=1e-9).fit(X, y)
    return model.coef_[0], float(model.intercept_[0]), model


@pytest.mark.syllabus("S0B-153", "S2-039")
def test_a_hyperplane_cuts_space_in_two_and_the_sign_decides(rng):
    X, y = clouds(rng, 40, gap=1.0)
    model = SVC(kernel="linear").fit(X, y)
    w, b = model.coef_[0], float(model.intercept_[0])
    negative = HalfSpace(w, -b)
    fresh = rng.normal(size=(50, 2))
    for x, label, score in zip(
        fresh, model.predict(fresh), model.decision_function(fresh), strict=True
    ):
        assert score == pytest.approx(w @ x + b)
        assert label == (1.0 if score >= 0 else -1.0)
        assert negative.contains(x) == (label == -1.0)
    # The machine answers with a side, not with a probability.
    assert not hasattr(model, "predict_proba")


@pytest.mark.syllabus("S0B-153")
def test_a_point_on_the_plane_counts_as_positive():
    for machine in (SVC, svm.SVC):
        model = machine(kernel="linear").fit([[-1.0], [1.0]], [-1, 1])
        assert model.decision_function([[0.0]]) == 0.0
        assert model.predict([[0.0]]) == 1


@pytest.mark.syllabus("S0B-154", "S4A-122")
def test_the_distance_to_a_plane_is_the_score_over_the_length_of_w(rng):
    X, y = clouds(rng, 20, gap=2.0)
    w, b = rng.normal(size=2), 0.3
    plane, side = AffineSet(w[None, :], np.array([-b])), HalfSpace(w, -b)
    found = margins(w, X, y, b)
    for x, label, margin, foot in zip(X, y, found.geometric, found.feet, strict=True):
        nearest = plane.project(x)
        assert foot == pytest.approx(nearest)
        assert abs(margin) == pytest.approx(np.linalg.norm(x - nearest))
        assert abs(margin) == pytest.approx(abs(w @ x + b) / np.linalg.norm(w))
        assert label * margin == pytest.approx(side.violation(x))
    # No point of the plane is nearer: walk along it.
    along = np.array([-w[1], w[0]])
    strolls = found.feet[0] + np.multiply.outer(np.linspace(-2, 2, 41), along)
    distances = np.linalg.norm(strolls - X[0], axis=1)
    assert distances.min() == pytest.approx(abs(found.geometric[0]))


@pytest.mark.syllabus("S2-040", "S2-041")
def test_doubling_doubles_the_functional_margin_and_leaves_the_geometric_one(rng):
    X, y = clouds(rng, 20, gap=2.0)
    w, b, _ = hard(X, y)
    once, twice = margins(w, X, y, b), margins(2 * w, X, y, 2 * b)
    assert twice.functional == pytest.approx(2 * once.functional)
    assert once.functional == pytest.approx(y * (X @ w + b))
    assert twice.geometric == pytest.approx(once.geometric)
    # x = foot + y γ w/‖w‖, which is where γ comes from.
    unit = w / np.linalg.norm(w)
    walked = once.feet + np.multiply.outer(y * once.geometric, unit)
    assert walked == pytest.approx(X)
    assert once.feet @ w + b == pytest.approx(np.zeros(20), abs=1e-9)


@pytest.mark.syllabus("S2-042", "S3-042")
def test_the_margin_of_a_training_set_is_its_least_one(rng):
    X, y = clouds(rng, 30, gap=3.0)
    w, b, model = hard(X, y)
    found = margins(w, X, y, b)
    assert found.smallest == found.geometric.min()
    assert found.smallest == pytest.approx(
        min(y * model.decision_function(X)) / np.linalg.norm(w)
    )
    assert found.smallest == pytest.approx(model.margins_[0], rel=1e-6)


@pytest.mark.syllabus("S0B-154", "S4A-121", "S4A-122")
def test_in_canonical_form_the_margin_is_one_over_the_length_of_w(rng):
    X, y = clouds(rng, 30, gap=4.0)
    w, b = np.array([3.0, 0.2]), 0.1
    raw = margins(w, X, y, b)
    assert raw.smallest > 0  # it separates
    scale = np.abs(raw.functional).min()
    canonical = margins(w / scale, X, y, b / scale)
    assert np.abs(canonical.functional).min() == pytest.approx(1.0)
    assert canonical.feet == pytest.approx(raw.feet)  # the same plane
    assert canonical.smallest == pytest.approx(raw.smallest)
    assert canonical.smallest == pytest.approx(1 / np.linalg.norm(w / scale))
    # The hard-margin machine needs no rescaling.
    w, b, model = hard(X, y)
    assert np.abs(model.decision_function(X)).min() == pytest.approx(1.0, abs=1e-6)
    assert model.margins_[0] == pytest.approx(1 / np.linalg.norm(w), rel=1e-6)


@pytest.mark.syllabus("S2-043", "S3-043")
def test_maximising_the_margin_is_minimising_the_norm_at_functional_margin_one(rng):
    X, y = clouds(rng, 20, gap=3.0)
    # max γ over unit vectors: every direction with the offset that is best for it.
    angles = np.linspace(0, 2 * np.pi, 3601)
    units = np.column_stack([np.cos(angles), np.sin(angles)])
    heights = X @ units.T
    above, below = heights[y > 0].min(axis=0), heights[y < 0].max(axis=0)
    offsets = -0.5 * (above + below)
    reached = [
        margins(unit, X, y, offset).smallest
        for unit, offset in zip(units, offsets, strict=True)
    ]
    w, b, model = hard(X, y)
    assert max(reached) <= model.margins_[0] + 1e-9
    assert max(reached) == pytest.approx(model.margins_[0], rel=1e-3)
    best = units[np.argmax(reached)]
    assert w / np.linalg.norm(w) == pytest.approx(best, abs=2e-3)
    # max γ'/‖w‖ does not fix the scale; γ' = 1, that is ‖w‖ = 1/M, does.
    for scale in (0.5, 1.0, 7.0):
        found = margins(scale * w, X, y, scale * b)
        ratio = found.functional.min() / np.linalg.norm(scale * w)
        assert ratio == pytest.approx(model.margins_[0], rel=1e-6)
    program = solved(hard_primal(X, y))
    assert program.point == pytest.approx(np.append(w, b), rel=1e-5)
    assert np.linalg.norm(w) == pytest.approx(1 / max(reached), rel=1e-3)


@pytest.mark.syllabus("S2-038")
def test_points_far_from_the_boundary_survive_a_change_of_the_training_set(rng):
    X, y = clouds(rng, 60, gap=1.0)
    model = SVC(kernel="linear").fit(X, y)
    confidence = y * model.decision_function(X)
    sure = np.flatnonzero(confidence > 2.0)
    near = np.flatnonzero(np.abs(confidence) < 0.5)
    assert min(len(sure), len(near)) >= 5
    flips = np.zeros(60)
    for _ in range(20):
        rows = rng.choice(60, size=30, replace=False)
        again = SVC(kernel="linear").fit(X[rows], y[rows])
        flips += again.predict(X) != model.predict(X)
    assert flips[sure].sum() == 0
    assert flips[near].sum() > 0
