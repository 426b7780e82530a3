"""Variable selection by convex penalties: lasso, elastic net, iterative shrinkage."""

import numpy as np
import pytest
from sklearn import linear_model

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.models.linear import ElasticNet, Lasso, Ridge
from infimum.penalties import ElasticNet as ElasticNetPenalty
from infimum.penalties import Lasso as LassoPenalty
from infimum.study.convexity import Affine, ProximalDescent, Quadratic
from infimum.study.features import support_size

N, D = 40, 10


def sample(rng):
    X = rng.standard_normal((N, D)) * np.linspace(0.5, 2, D)
    return X, 2 * X[:, 3] - X[:, 7] + 0.3 * rng.standard_normal(N)


def mean_squares(X, y, ridge=0.0):
    """State (1/n)‖y - Xw‖² + ridge·‖w‖² as a convex function."""
    n, d = X.shape
    matrix = 2 / n * X.T @ X + 2 * ridge * np.eye(d)
    return Quadratic(matrix, -2 / n * X.T @ y, float(y @ y) / n)


def soft(u, a):
    return np.sign(u) * np.maximum(np.abs(u) - a, 0.0)


@pytest.mark.syllabus("S1-120")
@pytest.mark.parametrize("strength", [0.05, 0.3, 2.0])
def test_the_lasso_satisfies_its_optimality_conditions(strength, rng):
    X, y = sample(rng)
    # (1/n)‖y - Xw‖² + λ‖w‖₁ is twice scikit-learn's objective at alpha = λ/2.
    model = Lasso(alpha=strength / 2, fit_intercept=False, tol=1e-9).fit(X, y)
    w = model.coef_
    pull = 2 / N * X.T @ (y - X @ w)
    assert (np.abs(pull) <= strength + 1e-3).all()
    active = w != 0
    assert pull[active] == pytest.approx(strength * np.sign(w[active]), abs=1e-3)
    assert 0 < active.sum() < D
    value = np.mean((y - X @ w) ** 2) + strength * np.abs(w).sum()
    assert value == pytest.approx(2 * model.certificate_.primal, abs=1e-7)
    peer = linear_model.Lasso(alpha=strength / 2, fit_intercept=False, tol=1e-12)
    assert w == pytest.approx(peer.fit(X, y).coef_, abs=1e-4)


@pytest.mark.syllabus("S1-121")
@pytest.mark.parametrize("strength", [0.05, 0.3, 2.0])
def test_iterative_soft_thresholding_reaches_the_lasso(strength, rng):
    X, y = sample(rng)
    smooth = mean_squares(X, y)
    method = ProximalDescent(LassoPenalty(strength), tolerance=1e-13)
    trace = method.minimize(smooth, np.zeros(D))
    step = method.step_for(smooth)
    w = np.zeros(D)
    for point in trace.points[:50]:
        assert point == pytest.approx(w, abs=1e-12)
        w = soft(w + 2 * step / N * X.T @ (y - X @ w), strength * step)
    model = Lasso(alpha=strength / 2, fit_intercept=False, tol=1e-9).fit(X, y)
    assert trace.point == pytest.approx(model.coef_, abs=1e-4)
    assert ((trace.point == 0) == (model.coef_ == 0)).all()  # zeros are exact
    assert trace.value == pytest.approx(2 * model.certificate_.primal, abs=1e-7)


@pytest.mark.syllabus("S1-122")
def test_shrinkage_stops_when_it_hardly_moves_or_when_its_time_is_up(rng):
    X, y = sample(rng)
    smooth, penalty = mean_squares(X, y), LassoPenalty(0.1)
    for tolerance in (1e-2, 1e-4, 1e-8):
        method = ProximalDescent(penalty, tolerance=tolerance)
        trace = method.minimize(smooth, np.zeros(D))
        moves = np.linalg.norm(np.diff(trace.points, axis=0), axis=1)
        assert trace.reason == "movement"
        assert moves[-1] <= tolerance
        assert (moves[:-1] > tolerance).all()
    hurried = ProximalDescent(penalty, tolerance=1e-8, max_iterations=5)
    trace = hurried.minimize(smooth, np.zeros(D))
    assert (trace.reason, trace.iterations) == ("budget", 5)


@pytest.mark.syllabus("S1-123")
def test_the_step_of_shrinkage_comes_from_the_spectral_norm(rng):
    X, y = sample(rng)
    smooth = mean_squares(X, y)
    method = ProximalDescent(LassoPenalty(0.1))
    step = N / (2 * np.linalg.norm(X.T @ X, 2))
    assert method.step_for(smooth) == pytest.approx(step)
    assert method.step_for(smooth) == pytest.approx(1 / smooth.smoothness)
    values = method.minimize(smooth, np.zeros(D)).values
    assert (np.diff(values) <= 1e-14).all()
    reckless = ProximalDescent(LassoPenalty(0.1), step=2.5 * step, max_iterations=100)
    assert reckless.minimize(smooth, np.zeros(D)).value > values[0]
    with pytest.raises(IncompatibleError, match="pass a step"):
        method.minimize(Affine(np.ones(2)), np.zeros(2))
    with pytest.raises(InvalidParameterError, match=r"ProximalDescent\.step"):
        ProximalDescent(LassoPenalty(0.1), step=0.0)


@pytest.mark.syllabus("S1-124")
def test_soft_thresholding_is_the_proximal_step_of_the_absolute_value():
    penalty = LassoPenalty(1.0)
    u = np.array([2.0, -0.5, 0.0, -3.0, 1.0])
    assert penalty.prox(u, 1.0).tolist() == [1.0, 0.0, 0.0, -2.0, 0.0]
    grid = np.linspace(-4, 4, 80_001)
    for value in (2.0, -0.5, 0.0, -3.1):
        price = (grid - value) ** 2 / 2 + 0.7 * np.abs(grid)
        shrunken = LassoPenalty(0.7).prox(np.array([value]), 1.0)[0]
        assert shrunken == pytest.approx(grid[price.argmin()], abs=1e-4)
        assert shrunken == soft(value, 0.7)


@pytest.mark.syllabus("S1-125")
@pytest.mark.parametrize("strength", [0.1, 1.0])
@pytest.mark.parametrize("mixing", [0.0, 0.3, 0.8, 1.0])
def test_the_elastic_net_mixes_the_two_penalties(strength, mixing, rng):
    X, y = sample(rng)

    def objective(w):
        sizes = mixing * np.abs(w).sum() + (1 - mixing) * w @ w
        return np.mean((y - X @ w) ** 2) + strength * sizes

    # Half of it has the l1 strength λα/2 and the l2 strength λ(1-α).
    model = ElasticNet(
        alpha=strength * (1 - mixing / 2),
        l1_ratio=mixing / (2 - mixing),
        fit_intercept=False,
        tol=1e-9,
    ).fit(X, y)
    least = objective(model.coef_)
    assert least == pytest.approx(2 * model.certificate_.primal, abs=1e-7)
    assert 2 * model.certificate_.dual == pytest.approx(least, abs=1e-7)
    for change in 0.05 * rng.standard_normal((50, D)):
        assert objective(model.coef_ + change) > least
    if mixing == 1.0:
        end = Lasso(alpha=strength / 2, fit_intercept=False, tol=1e-9)
        assert model.coef_ == pytest.approx(end.fit(X, y).coef_, abs=1e-4)
    if mixing == 0.0:
        end = Ridge(alpha=N * strength, fit_intercept=False)
        assert model.coef_ == pytest.approx(end.fit(X, y).coef_, abs=1e-4)


@pytest.mark.syllabus("S1-126")
@pytest.mark.parametrize("mixing", [0.2, 0.7])
def test_shrinkage_for_the_elastic_net_also_scales_the_weights_down(mixing, rng):
    X, y = sample(rng)
    strength = 0.5
    ridge = strength * (1 - mixing)
    smooth = mean_squares(X, y, ridge)
    method = ProximalDescent(LassoPenalty(strength * mixing), tolerance=1e-13)
    step = N / (2 * (np.linalg.norm(X.T @ X, 2) + N * ridge))
    assert method.step_for(smooth) == pytest.approx(step)
    trace = method.minimize(smooth, np.zeros(D))
    w = np.zeros(D)
    for point in trace.points[:50]:
        assert point == pytest.approx(w, abs=1e-12)
        pull = (1 - 2 * step * ridge) * w + 2 * step / N * X.T @ (y - X @ w)
        w = soft(pull, strength * mixing * step)
    model = ElasticNet(
        alpha=strength * (1 - mixing / 2),
        l1_ratio=mixing / (2 - mixing),
        fit_intercept=False,
        tol=1e-9,
    ).fit(X, y)
    assert trace.point == pytest.approx(model.coef_, abs=1e-4)
    assert trace.value == pytest.approx(2 * model.certificate_.primal, abs=1e-7)
    # Leaving both parts to the proximal step goes another way to the same point.
    whole = ElasticNetPenalty(strength * (2 - mixing), mixing / (2 - mixing))
    other = ProximalDescent(whole, tolerance=1e-13)
    assert other.minimize(mean_squares(X, y), np.zeros(D)).point == pytest.approx(
        trace.point, abs=1e-8
    )


@pytest.mark.syllabus("S1-127")
def test_the_lasso_is_sparse_ridge_is_stable_the_elastic_net_both(rng):
    z = rng.standard_normal(N)
    y = 3 * z + 0.1 * rng.standard_normal(N)
    noise = rng.standard_normal((N, 4))
    models = {
        "ridge": Ridge(alpha=N * 0.05),
        "lasso": Lasso(alpha=0.05, tol=1e-10),
        "elastic": ElasticNet(alpha=0.05, l1_ratio=0.5, tol=1e-10),
    }
    jumps = {}
    for name, model in models.items():
        coefs = []
        for sign in (1, -1):  # two nearly equal columns, nudged either way
            nudge = sign * 1e-3 * y
            X = np.column_stack([z + nudge, z - nudge, noise])
            coefs.append(model.fit(X, y).coef_.copy())
        jumps[name] = np.abs(coefs[0] - coefs[1]).max()
        assert (support_size(coefs[0]) < 6) == (name != "ridge")
    assert jumps["lasso"] > 2.0  # all the weight moves from one twin to the other
    assert jumps["ridge"] < 0.1
    assert jumps["elastic"] < 0.5
