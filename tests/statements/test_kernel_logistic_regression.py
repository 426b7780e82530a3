"""Kernel logistic regression: descent in the coefficients of the samples."""

import numpy as np
import pytest

from infimum.kernels import Gaussian
from infimum.models.kernel import KernelLogisticRegression
from infimum.models.linear import LogisticRegression, RidgeSpectrum
from infimum.study.convexity import (
    FixedStep,
    GradientDescent,
    MirrorMethod,
    Quadratic,
    Softplus,
    SquaredNorm,
)


def labelled(rng, n, d):
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)


def regularised(X, y, strength):
    """State (1/n) Σ log(1 + exp(-yᵢxᵢᵀw)) + strength·‖w‖² as a convex function."""
    signed = -y[:, None] * X
    return Softplus(1 / len(y)).after(signed) + 2 * strength * SquaredNorm()


def kernelised(K, y, strength):
    """State the same risk for w = Xᵀc: scores Kc, squared length cᵀKc."""
    signed = -y[:, None] * K
    return Softplus(1 / len(y)).after(signed) + Quadratic(2 * strength * K)


@pytest.mark.syllabus("S1-084")
def test_kernel_descent_follows_linear_descent_step_by_step(rng):
    X, y = labelled(rng, n=8, d=20)
    K, n, strength = X @ X.T, 8, 0.05
    function = regularised(X, y, strength)
    step = FixedStep(1 / function.smoothness)
    plain = GradientDescent(step, tolerance=0.0, max_iterations=100)
    linear = plain.minimize(function, np.zeros(20))
    # Gradients in c are K times the update: the geometry of c is that of cᵀKc.
    method = MirrorMethod(Quadratic(K), step, max_iterations=100)
    kernel = method.minimize(kernelised(K, y, strength), np.zeros(n))
    c = np.zeros(n)
    for w, here in zip(linear.points, kernel.points, strict=True):
        assert here == pytest.approx(c, abs=1e-10)
        assert X.T @ here == pytest.approx(w, abs=1e-10)
        B = -y / (1 + np.exp(y * (K @ c))) / n + 2 * strength * c
        c = c - step.step * B


@pytest.mark.syllabus("S1-084")
def test_kernel_logistic_regression_separates_what_no_line_can(rng):
    angle = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    X, y = np.vstack([0.5 * circle[::2], 2 * circle]), np.repeat([1.0, -1.0], [15, 30])

    strength, kernel = 1e-3, Gaussian()
    # Mean loss + λ‖f‖² is C Σ loss + ½‖f‖² with C = 1/(2λn).
    model = KernelLogisticRegression(
        C=1 / (2 * strength * len(y)), kernel=kernel, fit_intercept=False
    ).fit(X, y)
    assert model.certificate_.closed
    c = model.dual_coef_.ravel()
    # At the optimum the update B(c) vanishes.
    slopes = -y / (1 + np.exp(y * (kernel(X, X) @ c))) / len(y)
    assert slopes + 2 * strength * c == pytest.approx(0, abs=1e-5)
    new = np.vstack([0.4 * circle, 2.2 * circle])
    truth = np.repeat([1.0, -1.0], 30)
    assert model.decision_function(new) == pytest.approx(kernel(new, X) @ c)
    assert (model.predict(new) == truth).all()
    line = LogisticRegression().fit(X, y)
    assert (line.predict(new) == truth).mean() < 0.7


@pytest.mark.syllabus("S1-085")
def test_the_step_for_kernels_comes_from_the_gram_matrix(rng):
    n, strength = 10, 0.1
    X, y = labelled(rng, n=n, d=25)
    spectrum = RidgeSpectrum.of(X, y, fit_intercept=False).eigenvalues
    K = X @ X.T
    assert spectrum == pytest.approx(np.linalg.eigvalsh(K / n))
    largest = np.linalg.eigvalsh(X.T @ X / n + 2 * strength * np.eye(25))[-1]
    assert Quadratic(K / n + 2 * strength * np.eye(n)).smoothness == pytest.approx(
        largest
    )
    step = FixedStep(1 / largest)
    method = MirrorMethod(Quadratic(K), step, max_iterations=200)
    values = method.minimize(kernelised(K, y, strength), np.zeros(n)).values
    assert (np.diff(values) <= 1e-14).all()
