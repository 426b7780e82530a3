"""Any loss and the norm of f: the minimiser is a combination of the samples."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from infimum.errors import DataError, IncompatibleError
from infimum.kernels import (
    Delta,
    Gaussian,
    Graph,
    KernelExpansion,
    Linear,
    Polynomial,
    Spectrum,
    TensorProduct,
    WeisfeilerLehman,
)
from infimum.losses import EpsilonInsensitive, Huber, Quantile
from infimum.models.kernel import SVC, KernelRidge
from infimum.models.linear import RiskMinimizer
from infimum.solvers import LBFGS, Bundle, Newton

REAL = ["squared", "absolute", Huber(0.5), Quantile(0.3), EpsilonInsensitive(0.1)]
SIGNS = ["logistic", "hinge", "squared_hinge", "exponential"]
CLASSES = ["softmax", "multiclass_hinge"]


def data(rng, n=40, d=2):
    X = rng.normal(size=(n, d))
    return X, np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=n)


def target(loss, y):
    if isinstance(loss, str) and loss in SIGNS:
        return y > 0
    return np.digitize(y, [-0.5, 0.5]) if loss in CLASSES else y


@pytest.mark.syllabus("S3-093", "S3-095")
@pytest.mark.parametrize("loss", REAL + SIGNS + CLASSES, ids=str)
def test_no_function_of_the_space_beats_the_best_combination_of_samples(loss, rng):
    X, y = data(rng)
    labels, kernel, strength = target(loss, y), Gaussian(1.0), 0.05
    model = RiskMinimizer(loss, strength=strength, kernel=kernel).fit(X, labels)
    assert model.certificate_.closed
    assert model.certify(X, labels).closed
    # The bound is over the whole space: widen the span by strangers and nothing gains.
    wide = np.vstack([X, rng.normal(size=(20, 2))])
    weights = np.repeat([1.0, 0.0], [40, 20])
    coefs = np.atleast_2d(model.dual_coef_)
    for row in coefs:
        f = KernelExpansion(kernel, X, row)
        g = KernelExpansion(kernel, wide[40:], 0.1 * rng.normal(size=20))
        projection = np.linalg.lstsq(kernel(X), g(X), rcond=None)[0]
        h = KernelExpansion(kernel, X, projection)
        # On the samples g and its projection agree, and the projection is shorter.
        assert h(X) == pytest.approx(g(X), abs=1e-6)
        assert (f + h).norm <= (f + g).norm + 1e-6
    again = RiskMinimizer(loss, strength=strength, kernel=kernel)
    again.fit(wide, np.concatenate([labels, labels[:20]]), sample_weight=weights)
    assert np.all(np.atleast_2d(again.dual_coef_)[:, 40:] == 0.0)
    assert again.certificate_.primal == pytest.approx(model.certificate_.primal)


@pytest.mark.syllabus("S3-095")
def test_prediction_needs_all_training_inputs(rng):
    X, y = data(rng)
    model = RiskMinimizer(kernel=Gaussian(1.0), strength=0.01).fit(X, y)
    fresh = rng.normal(size=(7, 2))
    by_hand = Gaussian(1.0)(fresh, X) @ model.dual_coef_ + model.intercept_
    assert model.predict(fresh) == pytest.approx(by_hand)
    assert np.array_equal(model.X_fit_, X)
    assert (model.dual_coef_ != 0).all()


@pytest.mark.syllabus("S4A-152", "S3-096")
@pytest.mark.parametrize("loss", REAL + SIGNS, ids=str)
def test_features_enter_through_inner_products_only(loss, rng):
    X, y = data(rng)
    labels = target(loss, y)
    plain = RiskMinimizer(loss, strength=0.1, tol=1e-10).fit(X, labels)
    kernel = RiskMinimizer(loss, strength=0.1, tol=1e-10, kernel=Linear())
    given = RiskMinimizer(loss, strength=0.1, tol=1e-10, kernel="precomputed")
    kernel.fit(X, labels)
    given.fit(X @ X.T, labels)
    fresh = rng.normal(size=(9, 2))
    expected = plain._scores(fresh)
    assert kernel._scores(fresh) == pytest.approx(expected, abs=1e-4)
    assert given._scores(fresh @ X.T) == pytest.approx(expected, abs=1e-4)
    assert np.ravel(kernel.dual_coef_) @ X == pytest.approx(
        np.ravel(plain.coef_), abs=1e-4
    )


@pytest.mark.syllabus("S3-080")
def test_kernels_are_swapped_easily_and_the_cost_is_that_of_samples(rng):
    X, y = data(rng, d=3)
    scores = {
        name: RiskMinimizer(kernel=kernel, strength=0.001).fit(X, y).score(X, y)
        for name, kernel in {
            "linear": Linear(),
            "cubic": Polynomial(3),
            "gaussian": Gaussian(1.0),
        }.items()
    }
    assert scores["linear"] < scores["cubic"] < scores["gaussian"]
    # 161 700 monomials of degree 3, and still one coefficient per sample.
    wide = rng.normal(size=(30, 100))
    model = RiskMinimizer(kernel=Polynomial(3), strength=1.0).fit(wide, wide[:, 0])
    assert model.dual_coef_.shape == (30,)


@pytest.mark.syllabus("S4A-163")
def test_the_lasso_has_no_representer_theorem(rng):
    X, y = data(rng)
    with pytest.raises(IncompatibleError, match="combinations of the samples"):
        RiskMinimizer(penalty="lasso", kernel=Gaussian(1.0)).fit(X, y)
    # The ℓ₁ norm is no function of the norm: the lasso leaves the span of the samples.
    few = X[:1] * [1.0, 0.5]
    lasso = RiskMinimizer(penalty="lasso", strength=0.01, fit_intercept=False)
    ridge = RiskMinimizer(penalty="ridge", strength=0.01, fit_intercept=False)
    off = [
        abs(m.coef_[0] * few[0, 1] - m.coef_[1] * few[0, 0])
        for m in (lasso.fit(few, y[:1]), ridge.fit(few, y[:1]))
    ]
    assert off[0] > 1e-3
    assert off[1] < 1e-9


@pytest.mark.syllabus("S0B-197")
def test_the_decision_is_the_best_pair_of_sample_and_label(rng):
    X, y = data(rng)
    labels = np.digitize(y, [-0.5, 0.5])
    model = RiskMinimizer("multiclass_hinge", strength=0.02, kernel=Gaussian(1.0))
    model.fit(X, labels)
    joint = TensorProduct((Gaussian(1.0), Delta()))
    pairs = [(x, k) for k in range(3) for x in X]
    f = KernelExpansion(joint, pairs, model.dual_coef_.ravel())
    fresh = rng.normal(size=(8, 2))
    scores = np.column_stack(
        [f([(x, k) for x in fresh]) + model.intercept_[k] for k in range(3)]
    )
    assert scores == pytest.approx(model.decision_function(fresh))
    assert scores.argmax(axis=1).tolist() == model.predict(fresh).tolist()


@pytest.mark.syllabus("S0B-198")
def test_strength_is_one_over_c_and_primal_and_dual_methods_agree(rng):
    X, y = data(rng)
    labels, strength = y > 0, 0.05
    ours = RiskMinimizer("squared_hinge", strength=strength, kernel=Gaussian(1.0))
    price = 1.0 / (strength * len(y))
    svc = SVC(C=price, kernel=Gaussian(1.0), loss="squared_hinge")
    fresh = rng.normal(size=(8, 2))
    assert ours.fit(X, labels).decision_function(fresh) == pytest.approx(
        svc.fit(X, labels).decision_function(fresh), abs=1e-3
    )
    many = np.digitize(y, [-0.5, 0.5])
    dual = RiskMinimizer("multiclass_hinge", strength=strength, kernel=Gaussian(1.0))
    bundle = RiskMinimizer(
        "multiclass_hinge", strength=strength, kernel=Gaussian(1.0),
        solver=Bundle(tolerance=1e-4),
    ).fit(X, many)  # fmt: skip
    assert dual.fit(X, many).dual_coef_.size == len(y) * 3
    assert bundle.certificate_.primal == pytest.approx(
        dual.certificate_.primal, rel=1e-3
    )


@pytest.mark.syllabus("S4A-158")
def test_a_convex_machine_has_one_answer_and_two_parameters(rng):
    X, y = data(rng)
    fresh = rng.normal(size=(8, 2))
    answers = [
        RiskMinimizer(
            "squared_hinge", strength=0.05, kernel=Gaussian(1.0), solver=solver
        )
        .fit(X, y > 0)
        .decision_function(fresh)
        for solver in (Newton(tolerance=1e-10), LBFGS(tolerance=1e-10))
    ]
    assert answers[0] == pytest.approx(answers[1], abs=1e-4)


def test_strings_and_graphs_are_learnt_from_as_they_are():
    words = ["banana", "ananas", "cherry", "sherry", "bandana", "merry"]
    names = ["a", "a", "e", "e", "a", "e"]
    model = RiskMinimizer("logistic", strength=0.1, kernel=Spectrum(2)).fit(
        words, names
    )
    assert model.predict(["nanna", "berry"]).tolist() == ["a", "e"]
    assert model.certify(words, names).closed
    search = GridSearchCV(model, {"strength": [0.01, 0.1]}, cv=2).fit(words, names)
    assert search.best_score_ > 0.5
    rings = [
        Graph(np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0)) for n in (4, 5)
    ]
    lines = [Graph(np.eye(n, k=1) + np.eye(n, k=-1)) for n in (4, 5)]
    shapes = RiskMinimizer("logistic", strength=0.01, kernel=WeisfeilerLehman())
    shapes.fit(rings + lines, ["ring", "ring", "line", "line"])
    assert shapes.predict(rings + lines).tolist() == ["ring"] * 2 + ["line"] * 2


def test_a_function_of_two_samples_is_a_kernel_too(rng):
    X, y = data(rng)
    named = KernelRidge(0.1, kernel="rbf", gamma=0.5).fit(X, y)
    function = KernelRidge(
        0.1, kernel=lambda a, b, rate: np.exp(-rate * np.sum((a - b) ** 2)),
        kernel_params={"rate": 0.5},
    ).fit(X, y)  # fmt: skip
    assert function.dual_coef_ == pytest.approx(named.dual_coef_)


def test_a_machine_is_certified_on_its_own_samples_only(rng):
    X, y = data(rng)
    model = RiskMinimizer(kernel=Gaussian(1.0), strength=0.1).fit(X, y)
    with pytest.raises(DataError, match="these are others"):
        model.certify(X + 1.0, y)
    with pytest.raises(DataError, match="square"):
        RiskMinimizer(kernel="precomputed").fit(X, y)
    with pytest.raises(DataError, match="semi-definite"):
        RiskMinimizer(kernel="precomputed").fit(-X @ X.T, y)
