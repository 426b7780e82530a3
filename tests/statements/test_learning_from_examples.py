"""Learning from examples: data, losses, risks, and what goes wrong without care."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import expit
from sklearn.pipeline import make_pipeline

from infimum.data import (
    check_target,
    linear_regression,
    read_table,
    sparse_regression,
    two_gaussians,
)
from infimum.data.labels import bits_from_signs, signs_from_bits
from infimum.errors import DataError
from infimum.evaluation import (
    bias_variance,
    boundary_points,
    cross_validate,
    folds,
    hold_out,
)
from infimum.losses import (
    Absolute,
    EpsilonInsensitive,
    Huber,
    Quantile,
    Squared,
    SquaredEpsilonInsensitive,
)
from infimum.models.kernel import KernelRidge
from infimum.models.linear import (
    LinearRegression,
    LogisticRegression,
    OrthogonalMatchingPursuit,
    Ridge,
)
from infimum.models.neighbors import KNeighborsRegressor
from infimum.study.features import PolynomialBasis, QuadraticMonomials, Standardizer

REGRESSION_LOSSES = [
    Squared(),
    Absolute(),
    Huber(0.5),
    Quantile(0.3),
    EpsilonInsensitive(0.1),
    SquaredEpsilonInsensitive(0.1),
]


def squared_error(truth, predicted):
    return float(np.mean((truth - predicted) ** 2))


def gaussian(gamma):
    return KernelRidge(kernel="rbf", gamma=gamma, alpha=0.1)


def wave(n, rng, noise=0.3):
    x = rng.uniform(-1, 1, (n, 1))
    return x, truth(x) + noise * rng.standard_normal(n)


def truth(x):
    return np.sin(3 * x[:, 0])


def polynomial(strength, degree=12):
    steps = PolynomialBasis(degree), Standardizer("variance"), Ridge(alpha=strength)
    return make_pipeline(*steps)


@pytest.mark.syllabus("S1-003")
def test_the_task_follows_from_the_outputs(rng):
    outputs = {
        "measure": rng.standard_normal(30),
        "sign": np.where(np.arange(30) % 2, 1, -1),
        "kind": np.arange(30) % 4 + 1,
        "word": np.array(["yes", "no", "maybe"] * 10),
    }
    table = read_table(pd.DataFrame({"x": rng.standard_normal(30), **outputs}))
    tasks = {name: check_target(table, name) for name in outputs}
    assert tasks["measure"].task == "regression"
    assert tasks["sign"].classes == (-1, 1)
    assert tasks["kind"].classes == (1, 2, 3, 4)
    assert tasks["word"].task == tasks["kind"].task == "classification"
    # Binary outputs are signs; bits are converted and not confused with them.
    assert signs_from_bits([0, 1]).tolist() == [-1.0, 1.0]
    with pytest.raises(DataError, match="encode the classes"):
        bits_from_signs([0, 1])


@pytest.mark.syllabus("S1-004")
def test_examples_are_drawn_from_a_marginal_and_a_conditional():
    toy = linear_regression(4000, noise=0.5, random_state=0)
    for column in toy.X.T:  # p(x): standard normal, in every direction
        assert stats.kstest(column, "norm").pvalue > 1e-3
    residuals = (toy.y - toy.X @ toy.coefficients) / 0.5  # p(y|x): normal around f(x)
    assert stats.kstest(residuals, "norm").pvalue > 1e-3
    near = np.abs(toy.X[:, 0] - 1.0) < 0.2
    assert stats.kstest(residuals[near], "norm").pvalue > 1e-3
    clouds = two_gaussians(20_000, random_state=0)
    chance = expit(clouds.X @ clouds.coefficients + clouds.intercept)
    for low in np.linspace(0, 0.8, 5):
        some = (chance >= low) & (chance < low + 0.2)
        spread = 0.5 / np.sqrt(some.sum())
        assert clouds.y[some].mean() == pytest.approx(
            chance[some].mean(), abs=4 * spread
        )


@pytest.mark.syllabus("S1-007")
@pytest.mark.parametrize("loss", REGRESSION_LOSSES, ids=repr)
def test_a_loss_is_a_price_that_is_never_negative_and_nothing_when_right(loss, rng):
    y, f = rng.standard_normal((2, 200))
    assert (loss.value(y, f) >= 0).all()
    assert (loss.value(y, y) == 0).all()
    assert loss.value(y, y + 3.0).min() > 0


@pytest.mark.syllabus("S1-010")
def test_a_decision_boundary_is_where_the_score_vanishes():
    toy = two_gaussians(200, random_state=1)
    model = LogisticRegression().fit(toy.X, toy.y)
    points = boundary_points(model.decision_function, [-3, -3], [3, 3])
    assert len(points) > 50
    scores = points @ model.coef_[0] + model.intercept_[0]
    assert np.abs(scores).max() < 1e-9
    beside = points + 1e-3 * model.coef_[0]
    assert (model.predict(beside) == 1).all()
    assert (model.predict(2 * points - beside) == 0).all()
    # A rule that is linear in products of the inputs has a curved boundary.
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (400, 2))
    disc = make_pipeline(QuadraticMonomials(), LogisticRegression(C=1e4))
    disc.fit(X, np.linalg.norm(X, axis=1) < 1.2)
    radii = np.linalg.norm(
        boundary_points(disc.decision_function, [-2, -2], [2, 2]), axis=1
    )
    assert radii == pytest.approx(1.2, abs=0.1)
    assert len(boundary_points(lambda x: x[:, 0] + 9, [-1, -1], [1, 1])) == 0


@pytest.mark.syllabus("S1-011")
def test_the_expected_excess_risk_of_least_squares_falls_with_the_sample():
    noise, found, predicted = 0.5, [], []
    for n in (12, 25, 50, 200):
        excesses = []
        for seed in range(40):
            toy = linear_regression(n, noise=noise, random_state=1000 * n + seed)
            w = LinearRegression(fit_intercept=False).fit(toy.X, toy.y).coef_
            # E(y - wᵀx)² - σ² = ‖w - w*‖², because x is standard normal.
            excesses.append(float(np.sum((w - toy.coefficients) ** 2)))
        assert min(excesses) >= 0
        found.append(np.mean(excesses))
        predicted.append(noise**2 * 3 / (n - 3 - 1))
    assert (np.diff(found) < 0).all()
    assert found == pytest.approx(predicted, rel=0.5)


@pytest.mark.syllabus("S1-012")
def test_overfitting_is_low_training_error_high_test_error_and_instability(rng):
    sets = [wave(20, rng) for _ in range(15)]
    fresh = wave(2000, rng)
    grid = np.linspace(-0.9, 0.9, 50)[:, None]

    def diagnosis(strength):
        models = [polynomial(strength).fit(*sample) for sample in sets]
        pairs = zip(models, sets, strict=True)
        training = [squared_error(y, model.predict(X)) for model, (X, y) in pairs]
        test = [squared_error(fresh[1], model.predict(fresh[0])) for model in models]
        parts = bias_variance(polynomial(strength), sets, grid, truth, 0.3)
        return np.mean(training), np.median(test), np.median(parts.variance)

    loose, tuned, stiff = (diagnosis(strength) for strength in (1e-8, 0.1, 1e4))
    assert loose[0] < tuned[0] < stiff[0]  # training error: the loose model wins
    assert tuned[1] < loose[1]  # test error: it loses
    assert tuned[1] < stiff[1]  # and so does the one that cannot adapt
    assert loose[2] > 3 * tuned[2] > stiff[2]  # its answers depend on the sample


@pytest.mark.syllabus("S1-026")
@pytest.mark.parametrize("strength", [1e-6, 0.1, 100.0])
def test_no_learner_errs_less_than_the_noise(strength, rng):
    sets = [wave(25, rng) for _ in range(30)]
    grid = np.linspace(-0.9, 0.9, 20)[:, None]
    parts = bias_variance(polynomial(strength, degree=6), sets, grid, truth, 0.3)
    assert parts.noise == pytest.approx(0.09)
    assert (parts.error >= 0.09).all()
    # E(y - f(x))² = σ² + E(f*(x) - f(x))²: the noise of a fresh y is independent.
    model = polynomial(strength, degree=6)
    predictions = np.array([model.fit(*s).predict(grid) for s in sets])
    missed = np.mean((predictions - truth(grid)) ** 2, axis=0)
    assert parts.error == pytest.approx(0.09 + missed)
    fresh = truth(grid) + 0.3 * rng.standard_normal((100, 30, 20))
    observed = np.mean((fresh - predictions) ** 2)
    assert observed == pytest.approx(parts.error.mean(), rel=0.05)


@pytest.mark.syllabus("S1-034")
def test_one_procedure_tunes_every_parameter_between_bias_and_variance(rng):
    X, y = wave(60, rng)
    fresh = wave(1000, rng)
    sparse = sparse_regression(60, 40, relevant=3, noise=1.0, random_state=0)
    later = sparse_regression(1000, 40, relevant=3, noise=1.0, random_state=1)
    cases = [  # a strength, a degree, neighbours, a width, a number of variables
        ([polynomial(10.0**k) for k in range(-9, 4, 2)], (X, y), fresh),
        ([polynomial(1e-6, degree=d) for d in (1, 3, 5, 9, 20)], (X, y), fresh),
        ([KNeighborsRegressor(k) for k in (1, 3, 7, 15, 40)], (X, y), fresh),
        ([gaussian(g) for g in (1e-4, 1e-2, 1.0, 10.0, 1e4)], (X, y), fresh),
        (
            [OrthogonalMatchingPursuit(n_nonzero_coefs=k) for k in (1, 2, 3, 8, 30)],
            (sparse.X, sparse.y),
            (later.X, later.y),
        ),
    ]
    for candidates, (inputs, outputs), (new, answers) in cases:
        splits = folds(outputs, 5, stratified=False)
        table = cross_validate(candidates, inputs, outputs, splits, squared_error)
        errors = [
            squared_error(answers, model.fit(inputs, outputs).predict(new))
            for model in candidates
        ]
        assert 0 < table.best < len(candidates) - 1  # neither extreme is chosen
        assert errors[table.best] < min(errors[0], errors[-1])
        assert errors[table.best] < 1.2 * min(errors)
        # One split instead of five is the hold-out method, by the same procedure.
        once = [hold_out(outputs, 0.3, classes=False)]
        held = cross_validate(candidates, inputs, outputs, once, squared_error)
        assert held.errors.shape == (len(candidates), 1)
