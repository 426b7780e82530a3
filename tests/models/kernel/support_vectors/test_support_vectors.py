"""What the theory of support vector machines says holds on every fit."""

import cvxpy
import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from infimum.certificates import best_offsets, certify_support_vectors
from infimum.kernels import Gaussian, Spectrum
from infimum.models.kernel import SVC, SVR, NuSVC, NuSVR
from infimum.models.novelty import OneClassSVM, SupportVectorDataDescription
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import KernelCache, SupportVectorDual, kernel_tiles
from infimum.solvers import WorkingSetDescent
from infimum.study.solvers import SequentialMinimalOptimization


def points(rng, n=80):
    X = rng.normal(size=(n, 3))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=n)


def duals(y, rng):
    signs, bounds = np.where(y > 0, 1.0, -1.0), rng.uniform(0.5, 2.0, size=len(y))
    return {
        "C-SVC": SupportVectorDual.classification(signs, bounds),
        "squared": SupportVectorDual.classification(signs, bounds, squared=True),
        "SVR": SupportVectorDual.regression(y, bounds, 0.1),
        "squared SVR": SupportVectorDual.regression(y, bounds, 0.1, squared=True),
        "nu-SVC": SupportVectorDual.nu_classification(signs, bounds, 0.6),
        "nu-SVR": SupportVectorDual.nu_regression(y, bounds, 0.4),
        "one-class": SupportVectorDual.one_class(bounds, 0.3 * bounds.sum()),
        "ball": SupportVectorDual.description(bounds / 20, np.ones(len(y))),
    }


NAMES = list(duals(np.linspace(-1, 1, 60), np.random.default_rng(0)))


def by_brute_force(dual, gram):
    """Minimise the dual by an interior-point program that knows nothing of SVMs."""
    beta = cvxpy.Variable(len(dual.start))
    root = np.linalg.cholesky(gram + 1e-10 * np.eye(len(gram)))
    pick = np.zeros((len(gram), len(dual.start)))
    pick[dual.places, np.arange(len(dual.start))] = 1.0
    value = 0.5 * cvxpy.sum_squares(root.T @ pick @ beta) + dual.linear @ beta
    value += 0.5 * cvxpy.sum_squares(cvxpy.multiply(np.sqrt(dual.ridge), beta))
    low = np.maximum(dual.low, -1e6)
    rules = [beta >= low, beta <= np.minimum(dual.high, 1e6)]
    for group in np.unique(dual.groups):
        mine = dual.groups == group
        rules.append(cvxpy.sum(beta[mine]) == dual.start[mine].sum())
    return cvxpy.Problem(cvxpy.Minimize(value), rules).solve(solver="CLARABEL")


@pytest.mark.syllabus("S0B-157", "S0B-174", "S0B-180", "S2-059", "S4A-129")
@pytest.mark.parametrize("name", NAMES)
def test_every_box_is_solved_as_a_stranger_solves_it(name, rng):
    X, y = points(rng, 60)
    dual, kernel = duals(y, rng)[name], Gaussian(1.0)
    tiles = kernel_tiles(kernel, X)
    reference = by_brute_force(dual, kernel(X))
    fast = WorkingSetDescent(tolerance=1e-6).solve(
        dual, lambda dtype: kernel_tiles(kernel, X, None, dtype), single=True
    )
    pairs = SequentialMinimalOptimization(tolerance=1e-6).solve(dual, tiles)
    plain = SequentialMinimalOptimization(
        tolerance=1e-6, selection="first_order", shrinking=False
    ).solve(dual, tiles)
    for found in (fast, pairs, plain):
        assert found.certificate.closed
        value = dual.value(found.point, kernel(X) @ dual.coefficients(found.point))
        assert value == pytest.approx(reference, rel=1e-5, abs=1e-6)
        assert -found.certificate.dual == pytest.approx(value, rel=1e-9, abs=1e-9)
        assert (found.point >= dual.low).all()
        assert (found.point <= dual.high).all()


def test_second_order_pairs_need_fewer_steps_than_first_order_ones(rng):
    X, y = points(rng, 200)
    dual = SupportVectorDual.classification(np.sign(y), np.full(200, 100.0))
    tiles = kernel_tiles(Gaussian(1.0), X)
    steps = {
        order: SequentialMinimalOptimization(selection=order, check_every=20)
        .solve(dual, tiles)
        .iterations
        for order in ("first_order", "second_order")
    }
    assert steps["second_order"] < steps["first_order"]


@pytest.mark.syllabus("S0B-159", "S2-061", "S4A-132")
def test_the_kkt_table_holds(rng):
    X, y = points(rng)
    model = SVC(C=2.0, gamma=0.5, tol=1e-8).fit(X, y > 0)
    margins = np.where(y > 0, 1, -1) * model.decision_function(X)
    alpha = np.zeros(len(y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    assert (margins[alpha == 0] >= 1 - 1e-6).all()
    np.testing.assert_allclose(margins[(alpha > 0) & (alpha < 2)], 1.0, atol=1e-6)
    assert (margins[alpha == 2] <= 1 + 1e-6).all()
    assert model.dual_coef_.sum() == pytest.approx(0, abs=1e-10)


@pytest.mark.syllabus("S0B-170")
@pytest.mark.parametrize("nu", [0.1, 0.3, 0.6])
def test_nu_bounds_margin_errors_above_and_support_vectors_below(nu, rng):
    X, y = points(rng, 150)
    labels = y > np.median(y)
    signs = np.where(labels, 1, -1)
    model = NuSVC(nu=nu, gamma=0.5).fit(X, labels)
    errors = np.mean(signs * model.decision_function(X) < 1 - 1e-6)
    assert errors <= nu <= len(model.support_) / 150
    tube = NuSVR(nu=nu, gamma=0.5).fit(X, y)
    outside = np.mean(np.abs(y - tube.predict(X)) > tube.epsilon_ + 1e-6)
    assert outside <= nu <= len(tube.support_) / 150
    for detector in (OneClassSVM, SupportVectorDataDescription):
        region = detector(nu=nu, gamma=0.5).fit(X)
        outside = np.mean(region.predict(X) == -1)
        assert outside <= nu <= len(region.support_) / 150


@pytest.mark.syllabus("S0B-171")
def test_a_nu_machine_is_a_c_machine(rng):
    X, y = points(rng)
    labels = y > np.median(y)
    first = NuSVC(nu=0.4, gamma=0.5).fit(X, labels)
    second = SVC(C=first.equivalent_C_[0], gamma=0.5, tol=1e-8).fit(X, labels)
    np.testing.assert_allclose(
        first.decision_function(X), second.decision_function(X), atol=1e-5
    )


def test_the_offset_is_in_the_middle_when_no_support_vector_is_free():
    X, y = np.array([[-1.0], [1.0]]), np.array([0, 1])
    model = SVC(C=0.1, kernel="linear").fit(X, y)
    assert np.abs(model.dual_coef_).tolist() == [[0.1, 0.1]]
    assert model.intercept_[0] == pytest.approx(0.0, abs=1e-12)


def test_the_ball_of_a_gaussian_kernel_is_the_one_class_region(rng):
    X, _ = points(rng)
    plane = OneClassSVM(nu=0.2, gamma=0.5, tol=1e-8).fit(X)
    ball = SupportVectorDataDescription(nu=0.2, gamma=0.5, tol=1e-8).fit(X)
    np.testing.assert_array_equal(plane.predict(X), ball.predict(X))


def test_leaving_out_a_sample_that_supports_nothing_changes_nothing(rng):
    X, y = points(rng)
    model = SVC(gamma=0.5).fit(X, y > 0)
    idle = np.setdiff1d(np.arange(len(y)), model.support_)[0]
    rest = np.delete(np.arange(len(y)), idle)
    again = SVC(gamma=0.5).fit(X[rest], y[rest] > 0)
    np.testing.assert_allclose(
        model.decision_function(X), again.decision_function(X), atol=1e-6
    )
    wrong = 0
    for i in model.support_:
        rest = np.delete(np.arange(len(y)), i)
        left = SVC(gamma=0.5).fit(X[rest], y[rest] > 0)
        wrong += left.predict(X[i : i + 1])[0] != (y[i] > 0)
    assert wrong / len(y) <= model.leave_one_out_bound_


def test_precomputed_callable_and_object_kernels_agree(rng):
    X, y = points(rng)
    gram = rbf_kernel(X, gamma=0.5)
    named = SVC(gamma=0.5).fit(X, y > 0).decision_function(X)
    given = SVC(kernel="precomputed").fit(gram, y > 0).decision_function(gram)
    called = SVC(kernel=lambda A, B: rbf_kernel(A, B, gamma=0.5)).fit(X, y > 0)
    part = SVC(kernel=Gaussian.from_gamma(0.5)).fit(X, y > 0)
    for scores in (given, called.decision_function(X), part.decision_function(X)):
        np.testing.assert_allclose(scores, named, atol=1e-6)


def test_strings_are_samples_like_any_other():
    words = ["aab", "aba", "baa", "xxy", "xyx", "yxx"]
    model = SVC(kernel=Spectrum(2), C=10.0).fit(words, [0, 0, 0, 1, 1, 1])
    assert model.predict(["aaab", "yxxx"]).tolist() == [0, 1]


def test_badly_scaled_features_and_a_huge_price_come_back_in_time(rng):
    X = 1e4 * rng.normal(size=(120, 5))
    y = X[:, 0] + 5e3 * rng.normal(size=120) > 0
    with pytest.warns(UncertifiedWarning, match="iteration limit"):
        model = SVC(kernel="linear", C=1e6, max_iter=5).fit(X, y)
    proof = model.certificate_
    assert model.n_iter_[0] <= 5
    assert np.isfinite([proof.primal, proof.dual]).all()
    assert proof.primal >= proof.dual
    assert not proof.closed


def test_a_small_cache_changes_the_time_and_not_the_answer(rng):
    X, y = points(rng, 400)
    large = SVC(gamma=0.5).fit(X, y > 0)
    small = SVC(gamma=0.5, cache_size=0.02).fit(X, y > 0)
    np.testing.assert_allclose(
        small.decision_function(X), large.decision_function(X), atol=1e-4
    )


def test_the_least_recently_used_rows_make_room(rng):
    X, _ = points(rng, 50)
    tiles = kernel_tiles(Gaussian(1.0), X)
    cache = KernelCache(tiles, 10 * 50 * 8 / 2**20)
    assert cache.slots == 10
    cache.square(np.arange(8))
    cache.square(np.arange(4))
    cache.square(np.arange(20, 26))  # rows 4 to 7 give way
    assert (cache.hits, cache.misses) == (4, 14)
    np.testing.assert_allclose(cache.square(np.arange(4)), Gaussian(1.0)(X[:4]))
    assert cache.misses == 14


def test_a_warm_start_along_the_price_saves_steps(rng):
    X, y = points(rng, 300)
    tiles = kernel_tiles(Gaussian(1.0), X)
    signs = np.sign(y)
    solver = SequentialMinimalOptimization(check_every=10)
    first = solver.solve(
        SupportVectorDual.classification(signs, np.full(300, 1.0)), tiles
    )
    dual = SupportVectorDual.classification(signs, np.full(300, 1.2))
    cold, warm = solver.solve(dual, tiles), solver.solve(dual, tiles, first.point)
    assert warm.iterations < cold.iterations
    assert warm.certificate.closed


def test_anybodys_solution_can_be_certified(rng):
    from sklearn import svm

    X, y = points(rng)
    signs = np.where(y > 0, 1.0, -1.0)
    theirs = svm.SVC(C=1.0, gamma=0.5).fit(X, signs)
    point = np.zeros(len(y))
    point[theirs.support_] = theirs.dual_coef_[0]
    dual = SupportVectorDual.classification(signs, np.ones(len(y)))
    scores = dual.scores(kernel_tiles(Gaussian.from_gamma(0.5), X), point)
    proof = certify_support_vectors(dual, point, scores)
    assert proof.closed
    assert best_offsets(dual, scores)[0] == pytest.approx(
        theirs.intercept_[0], abs=1e-2
    )
    assert certify_support_vectors(dual, 0 * point, 0 * scores).relative_gap == 1.0


@pytest.mark.parametrize("kind", [True, "isotonic"])
def test_probabilities_come_from_held_out_scores(kind, rng):
    X = rng.normal(size=(200, 2))
    chance = 1 / (1 + np.exp(-2 * X[:, 0]))
    y = rng.uniform(size=200) < chance
    model = SVC(C=0.1, kernel="linear", probability=kind, random_state=0).fit(X, y)
    found = model.predict_proba(X)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert np.abs(found[:, 1] - chance).mean() < 0.12
    again = SVC(C=0.1, kernel="linear", probability=kind, random_state=0).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), found)


@pytest.mark.parametrize(
    "machine",
    [
        SVC(class_weight="balanced"),
        SVC(loss="squared_hinge"),
        NuSVC(nu=0.3),
        SVR(),
        NuSVR(),
        OneClassSVM(),
        SupportVectorDataDescription(),
    ],
    ids=repr,
)
def test_a_weight_is_a_number_of_copies(machine, rng):
    X, y = points(rng, 60)
    counts = rng.integers(0, 4, size=60)
    rows = np.repeat(np.arange(60), counts)
    y = y if isinstance(machine, SVR | NuSVR) else y > 0
    score = "predict" if isinstance(machine, SVR | NuSVR) else "decision_function"
    weighted = type(machine)(**machine.get_params()).fit(X, y, sample_weight=counts)
    repeated = machine.fit(X[rows], y[rows])
    np.testing.assert_allclose(
        getattr(weighted, score)(X), getattr(repeated, score)(X), rtol=1e-6, atol=1e-6
    )
