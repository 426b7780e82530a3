"""Novelty: small sets that hold most of the mass, by planes and by balls."""

import numpy as np
import pytest
from sklearn import svm

from infimum.kernels import Gaussian
from infimum.models.novelty import OneClassSVM, SupportVectorDataDescription
from infimum.study.convexity import QuadraticProgram
from tests.models.kernel.support_vectors.svm_programs import (
    share_dual,
    solved,
    weights_of,
)

N, NU, KERNEL = 40, 0.33, Gaussian.from_gamma(0.5)
SHARE = 1.0 / (NU * N)


@pytest.fixture
def cloud(rng):
    return rng.normal(size=(N, 2)) + 2.0


def plane(X, nu=NU, **named):
    return OneClassSVM(nu=nu, tol=1e-10, **named).fit(X)


@pytest.mark.syllabus("S0B-193")
def test_the_primal_separates_the_samples_from_the_origin(cloud):
    X, n = cloud, N
    # ½‖w‖² + Σξ/(νn) - ρ under ⟨w, x⟩ ≥ ρ - ξ; the point is (w, ξ, ρ).
    walls = np.block(
        [
            [-X, -np.eye(n), np.ones((n, 1))],
            [np.zeros((n, 2)), -np.eye(n), np.zeros((n, 1))],
        ]
    )
    primal = solved(
        QuadraticProgram(
            np.diag(np.concatenate([np.ones(2), np.zeros(n + 1)])),
            np.concatenate([np.zeros(2), np.full(n, SHARE), [-1.0]]),
            inequality_matrix=walls,
            inequality_limit=np.zeros(2 * n),
        )
    )
    dual = solved(share_dual(X @ X.T, SHARE, np.ones(n), 1.0))
    assert primal.value == pytest.approx(-dual.value, rel=1e-6)
    w, rho = primal.point[:2], primal.point[-1]
    assert rho > 0  # the origin is on the far side
    model = plane(X, kernel="linear")
    # The machine keeps prices of 1 instead of 1/(νn).
    assert model.certificate_.primal * SHARE**2 == pytest.approx(primal.value, rel=1e-6)
    assert model.coef_[0] * SHARE == pytest.approx(w, rel=1e-4)
    assert model.offset_[0] * SHARE == pytest.approx(rho, rel=1e-4)
    clear = np.abs(X @ w - rho) > 1e-5
    assert (model.predict(X)[clear] == np.where(X @ w >= rho, 1, -1)[clear]).all()
    assert model.predict(np.zeros((1, 2))) == -1
    assert np.mean(model.predict(X) == 1) >= 1 - NU


@pytest.mark.syllabus("S0B-194")
def test_the_dual_shares_out_one_among_the_least_familiar(cloud):
    gram = KERNEL(cloud)
    alpha = solved(share_dual(gram, SHARE, np.ones(N), 1.0)).point
    model = plane(cloud, gamma=0.5)
    theirs = svm.OneClassSVM(nu=NU, gamma=0.5, tol=1e-8).fit(cloud)
    for found in (model, theirs):
        assert weights_of(found, N) * SHARE == pytest.approx(alpha, abs=1e-5)
    scores = gram @ alpha
    free = (alpha > 1e-5) & (alpha < SHARE - 1e-5)
    rho = np.mean(scores[free])
    assert scores[free] == pytest.approx(np.full(free.sum(), rho), abs=1e-6)
    assert model.offset_[0] * SHARE == pytest.approx(rho, abs=1e-5)
    assert (alpha[scores > rho + 1e-6] < 1e-6).all()
    assert alpha[scores < rho - 1e-6] == pytest.approx(SHARE, abs=1e-5)


@pytest.mark.syllabus("S0B-195")
@pytest.mark.parametrize("nu", [0.05, 0.3, 0.62])
def test_nu_is_between_the_share_outside_and_the_share_of_support_vectors(nu, rng):
    for _ in range(3):
        X = rng.standard_t(df=3, size=(60, 2))
        model = plane(X, nu=nu, gamma=0.5)
        outside = np.mean(model.predict(X) == -1)
        assert outside <= nu <= len(model.support_) / 60
    # As the sample grows the three come together.
    spreads = []
    for n in (30, 480):
        X = rng.normal(size=(n, 2))
        model = OneClassSVM(nu=nu, gamma=0.5).fit(X)
        spreads.append(len(model.support_) / n - np.mean(model.predict(X) == -1))
    assert spreads[1] < spreads[0]


@pytest.mark.syllabus("S0B-195")
def test_a_share_of_support_vectors_may_be_far_above_nu(rng):
    # Narrow bumps: everybody supports, so that ν cannot bound support from above.
    model = plane(rng.normal(size=(30, 2)), nu=0.3, gamma=5.0)
    assert len(model.support_) / 30 > 0.5


@pytest.mark.syllabus("S0B-192")
def test_small_sets_of_large_mass_are_learnt_where_those_of_the_sample_are_brittle(rng):
    mass, grid, seen, learnt = 0.8, np.linspace(-6, 6, 601)[:, None], [], []
    count = 48  # of 60
    for _ in range(8):
        x, fresh = np.sort(rng.normal(size=60)), rng.normal(size=1_000)
        widths = x[count - 1 :] - x[: 60 - count + 1]
        start, length = int(widths.argmin()), widths.min()
        left, right = x[start], x[start + count - 1]
        # Of the sample's own measure the smallest set is that many points, which
        # have no length and meet nobody again; of intervals it is this one.
        assert not np.isin(fresh, x[start : start + count]).any()
        assert np.mean((x >= left) & (x <= right)) >= mass
        seen.append(np.mean((fresh >= left) & (fresh <= right)))
        model = plane(x[:, None], nu=1 - mass, gamma=0.1)
        inside = model.predict(grid) == 1
        assert np.count_nonzero(np.diff(inside)) == 2  # an interval as well
        assert np.mean(model.predict(x[:, None]) == 1) >= mass
        assert inside.mean() * 12 >= length - 0.05  # so it cannot be shorter
        assert inside.mean() * 12 < np.ptp(x)
        learnt.append(np.mean(model.predict(fresh[:, None]) == 1))
    # The shortest interval promises the mass on the sample and misses it afterwards.
    assert np.mean(seen) < mass - 0.03
    assert np.mean(learnt) == pytest.approx(mass, abs=0.05)
    assert abs(np.mean(learnt) - mass) < abs(np.mean(seen) - mass)


@pytest.mark.syllabus("S0B-223")
def test_a_ball_and_a_plane_agree_where_the_kernel_has_a_constant_diagonal(cloud):
    ball = SupportVectorDataDescription(nu=NU, gamma=0.5, tol=1e-10).fit(cloud)
    apart = plane(cloud, gamma=0.5)
    assert weights_of(ball, N) == pytest.approx(weights_of(apart, N) * SHARE, abs=1e-6)
    clear = np.abs(apart.decision_function(cloud)) > 1e-4
    assert (ball.predict(cloud) == apart.predict(cloud))[clear].all()
    # Not so where lengths differ.
    round_, flat = (
        SupportVectorDataDescription(nu=NU, kernel="linear", tol=1e-10).fit(cloud),
        plane(cloud, kernel="linear"),
    )
    difference = weights_of(round_, N) - weights_of(flat, N) * SHARE
    assert np.abs(difference).max() > 0.5 * SHARE


@pytest.mark.syllabus("S0B-223")
def test_the_ball_solves_its_dual_and_its_primal(cloud):
    X = cloud
    gram, n = X @ X.T, N
    program = share_dual(2 * gram, SHARE, np.ones(n), 1.0)
    dual = solved(
        QuadraticProgram(
            program.hessian,
            -np.diag(gram),
            program.equality_matrix,
            program.equality_target,
            program.inequality_matrix,
            program.inequality_limit,
        )
    )
    model = SupportVectorDataDescription(nu=NU, kernel="linear", tol=1e-10).fit(X)
    assert weights_of(model, n) == pytest.approx(dual.point, abs=1e-4)
    centre = dual.point @ X
    distances = np.sum((X - centre) ** 2, axis=1)
    primal = (
        model.radius_**2 + SHARE * np.maximum(distances - model.radius_**2, 0.0).sum()
    )
    assert primal == pytest.approx(-dual.value, rel=1e-6)
    clear = np.abs(distances - model.radius_**2) > 1e-4
    inside = np.where(distances <= model.radius_**2, 1, -1)
    assert (model.predict(X) == inside)[clear].all()
