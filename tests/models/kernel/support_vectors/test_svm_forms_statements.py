"""One machine in many forms: features, kernels, duals without offset, losses."""

import numpy as np
import pytest
from sklearn import svm

from infimum.certificates import lower_bound
from infimum.data.designs import as_design
from infimum.kernels import Gaussian, Polynomial
from infimum.losses import Hinge
from infimum.models.kernel import SVC
from infimum.models.linear import LinearSVC, RiskMinimizer
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import DualCoordinateAscent
from infimum.study.convexity import QuadraticProgram
from infimum.study.probability import ConditionalFamily, signed_inputs
from tests.models.kernel.support_vectors.svm_programs import (
    clouds,
    margin_dual,
    soft_primal,
    solved,
)

N, PRICE = 30, 0.7


def ring(rng, n=N):
    X = rng.normal(size=(n, 2))
    return X, np.where((X**2).sum(axis=1) + 0.3 * rng.normal(size=n) > 1.4, 1.0, -1.0)


def products(X):
    """Return ψ with ⟨ψ(x), ψ(z)⟩ = ⟨x, z⟩²."""
    return np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1]])


SQUARE = Polynomial(degree=2, offset=0.0)


@pytest.mark.syllabus("S3-074", "S3-075")
def test_a_machine_on_features_without_offset_has_a_dual_without_equality(rng):
    X, y = ring(rng)
    features = products(X)
    model = LinearSVC(loss="hinge", C=PRICE, fit_intercept=False, tol=1e-10)
    w = model.fit(features, y).coef_[0]
    value = 0.5 * w @ w + PRICE * Hinge().value(y, features @ w).sum()
    dual = solved(margin_dual(features @ features.T, y, PRICE, balanced=False))
    assert value == pytest.approx(-dual.value, rel=1e-6)
    assert w == pytest.approx((dual.point * y) @ features, abs=1e-4)
    fresh = rng.normal(size=(10, 2))
    sums = (dual.point * y) @ (features @ products(fresh).T)
    assert model.decision_function(products(fresh)) == pytest.approx(sums, abs=1e-3)
    # Offset and equality come together: one without the other is another machine.
    both = solved(margin_dual(features @ features.T, y, PRICE))
    assert -both.value < value - 1e-3
    with_offset = solved(soft_primal(features, y, PRICE))
    assert with_offset.value == pytest.approx(-both.value, rel=1e-6)
    assert with_offset.point[3] != pytest.approx(0.0, abs=0.1)


@pytest.mark.syllabus("S3-079", "S3-075")
def test_the_dual_needs_the_kernel_matrix_only(rng):
    X, y = ring(rng)
    np.testing.assert_allclose(SQUARE(X), products(X) @ products(X).T)
    for kernel in (SQUARE, Gaussian.from_gamma(0.5)):
        dual = solved(margin_dual(kernel(X), y, PRICE))
        model = SVC(kernel=kernel, C=PRICE, tol=1e-10).fit(X, y)
        assert model.certificate_.dual == pytest.approx(-dual.value, rel=1e-6)
        fresh = rng.normal(size=(10, 2))
        free = (dual.point > 1e-4) & (dual.point < PRICE - 1e-4)
        b = np.mean((y - kernel(X) @ (dual.point * y))[free])
        sums = kernel(fresh, X) @ (dual.point * y) + b
        assert model.decision_function(fresh) == pytest.approx(sums, abs=1e-3)
    explicit = SVC(kernel="linear", C=PRICE, tol=1e-10).fit(products(X), y)
    implicit = SVC(kernel=SQUARE, C=PRICE, tol=1e-10).fit(X, y)
    assert implicit.decision_function(X) == pytest.approx(
        explicit.decision_function(products(X)), abs=1e-5
    )


@pytest.mark.syllabus("S4A-156")
@pytest.mark.parametrize("offset", [True, False])
def test_the_primal_over_coefficients_gives_the_function_of_the_dual(offset, rng):
    X, y = ring(rng)
    gram = Gaussian.from_gamma(0.5)(X)
    # ½β'Kβ + price·Σξ under y(Kβ + b) ≥ 1 - ξ; the point is (β, b, ξ).
    rows = -y[:, None] * np.column_stack([gram, np.full(N, float(offset))])
    half = np.zeros((2 * N + 1, 2 * N + 1))
    half[:N, :N] = gram
    half[N, N] = 0.0 if offset else 1.0  # an offset that nobody feels stays 0
    program = QuadraticProgram(
        half,
        np.concatenate([np.zeros(N + 1), np.full(N, PRICE)]),
        inequality_matrix=np.block(
            [[rows, -np.eye(N)], [np.zeros((N, N + 1)), -np.eye(N)]]
        ),
        inequality_limit=np.concatenate([-np.ones(N), np.zeros(N)]),
    )
    primal = solved(program)
    dual = solved(margin_dual(gram, y, PRICE, balanced=offset))
    assert primal.value == pytest.approx(-dual.value, rel=1e-6)
    scores = gram @ primal.point[:N] + primal.point[N]
    if offset:
        model = SVC(C=PRICE, gamma=0.5, tol=1e-10).fit(X, y)
    else:
        model = RiskMinimizer(
            Hinge(),
            kernel=Gaussian.from_gamma(0.5),
            strength=1 / (PRICE * N),
            fit_intercept=False,
            tol=1e-9,
        ).fit(X, y)
    assert model.decision_function(X) == pytest.approx(scores, abs=1e-3)


@pytest.mark.syllabus("S0B-219")
def test_without_offset_one_variable_at_a_time_suffices(rng):
    X, y = clouds(rng, N, gap=0.8)
    H, alpha = np.outer(y, y) * (X @ X.T), np.zeros(N)
    for _ in range(400):
        for i in range(N):
            alpha[i] = np.clip(alpha[i] - (H[i] @ alpha - 1) / H[i, i], 0.0, PRICE)
    w = (alpha * y) @ X
    value = 0.5 * w @ w + PRICE * Hinge().value(y, X @ w).sum()
    assert alpha.sum() - 0.5 * alpha @ H @ alpha == pytest.approx(value, rel=1e-8)
    assert abs(alpha @ y) > 0.1  # no equality to keep
    risk = LinearRisk(as_design(X), y, Hinge(), Ridge(1 / (PRICE * N)), intercept=False)
    found = DualCoordinateAscent(tolerance=1e-10).solve(risk)
    assert found.point[:2] == pytest.approx(w, abs=1e-5)
    mine = LinearSVC(loss="hinge", C=PRICE, fit_intercept=False, tol=1e-10).fit(X, y)
    theirs = svm.LinearSVC(
        loss="hinge", C=PRICE, fit_intercept=False, tol=1e-8, max_iter=100_000
    ).fit(X, y)
    assert mine.coef_[0] == pytest.approx(w, abs=1e-5)
    assert theirs.coef_[0] == pytest.approx(w, abs=1e-4)


@pytest.mark.syllabus("S0B-221")
def test_fenchels_dual_is_lagranges(rng):
    loss, share = Hinge(), rng.uniform(size=20)
    labels = rng.choice([-1.0, 1.0], size=20)
    assert loss.conjugate(labels, -labels * share) == pytest.approx(-share)
    assert np.isinf(loss.conjugate(labels, -labels * (share + 1))).all()
    assert np.isinf(loss.conjugate(labels, labels * (share + 0.1))).all()
    X, y = clouds(rng, N, gap=0.8)
    C = PRICE * N
    risk = LinearRisk(as_design(X), y, loss, Ridge(1 / C))
    lagrange = margin_dual(X @ X.T, y, PRICE)
    for _ in range(10):
        alpha = rng.uniform(0, PRICE, size=N)
        alpha[y > 0] *= 0.5
        alpha[y < 0] *= alpha[y > 0].sum() / alpha[y < 0].sum()
        assert alpha @ y == pytest.approx(0.0, abs=1e-12)
        fenchel = lower_bound(risk, -y * alpha / PRICE)
        assert C * fenchel == pytest.approx(-lagrange.value(alpha), rel=1e-9)
    best = solved(lagrange).point
    best_bound = C * lower_bound(risk, -y * best / PRICE)
    assert best_bound == pytest.approx(solved(soft_primal(X, y, PRICE)).value, rel=1e-6)


@pytest.mark.syllabus("S0B-162")
def test_a_margin_of_one_is_a_log_odds_ratio_of_one(rng):
    X, y = clouds(rng, N, gap=4.0)
    model = LinearSVC(loss="hinge", C=1e4, fit_intercept=False, tol=1e-12).fit(X, y)
    theta = model.coef_[0]
    family = ConditionalFamily(signed_inputs, (-1, 1))  # φ(x, y) = (y/2) x
    logs = family.log_probabilities(theta, X)
    own = (y > 0).astype(int)
    ratio = logs[np.arange(N), own] - logs[np.arange(N), 1 - own]
    assert ratio == pytest.approx(y * (X @ theta))
    assert ratio.min() == pytest.approx(1.0, abs=1e-3)
    assert (model.predict(X) == family.predict(theta, X)).all()
    # Of all parameters with these odds it is the shortest.
    for _ in range(200):
        other = theta + 0.3 * rng.normal(size=2)
        logs = family.log_probabilities(other, X)
        odds = logs[np.arange(N), own] - logs[np.arange(N), 1 - own]
        assert odds.min() < 1.0 or other @ other >= theta @ theta - 1e-3
