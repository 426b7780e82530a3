"""What kernels buy: straight lines that bend, and functions of any shape."""

import numpy as np
import pytest
from scipy.optimize import linprog

from infimum.kernels import Composed, Gaussian, KernelExpansion, Linear, Polynomial
from infimum.kernels.windows import (
    Epanechnikov,
    Laplace,
    Quartic,
    Triangle,
    Tricube,
)
from infimum.kernels.windows import Gaussian as Bell


def separable(features, y):
    """Tell whether some hyperplane has the classes on its two sides, by a program."""
    rows = -y[:, None] * np.column_stack([features, np.ones(len(y))])
    free = [(None, None)] * rows.shape[1]
    zero = np.zeros(rows.shape[1])
    found = linprog(zero, A_ub=rows, b_ub=-np.ones(len(y)), bounds=free)
    return found.status == 0


@pytest.mark.syllabus("S0B-116")
def test_two_rings_are_separated_by_a_plane_after_a_map_to_three_dimensions(rng):
    angles = rng.uniform(0, 2 * np.pi, 80)
    radii = np.where(np.arange(80) < 40, 1.0, 2.0)
    X = radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    y = np.where(radii < 1.5, 1.0, -1.0)

    def lift(x):
        return np.array([x[0] ** 2, np.sqrt(2) * x[0] * x[1], x[1] ** 2])

    lifted = np.array([lift(x) for x in X])
    assert not separable(X, y)
    assert separable(lifted, y)
    assert Composed(Linear(), lift)(X) == pytest.approx(Polynomial(2, 0.0)(X))


def best_fit(kernel, X, y):
    """Return the expansion of least norm that comes closest to the values."""
    values, vectors = np.linalg.eigh(kernel(X))
    kept = values > 1e-12 * values.max()
    coefficients = vectors[:, kept] @ ((vectors[:, kept].T @ y) / values[kept])
    return KernelExpansion(kernel, X, coefficients)


@pytest.mark.syllabus("S4A-151")
@pytest.mark.parametrize("width", [0.05, 0.1])
def test_gaussian_expansions_reach_any_continuous_function_and_polynomials_do_not(
    width,
):
    X = np.linspace(0, 1, 120)[:, None]
    places = np.linspace(0, 1, 1000)[:, None]
    bend = np.abs(X[:, 0] - 0.5)
    exact = np.abs(places[:, 0] - 0.5)
    close = np.abs(best_fit(Gaussian(width), X, bend)(places) - exact).max()
    assert close < 0.01
    for degree in (1, 3, 5):
        # No polynomial of degree d comes nearer to |x| than about 0.28/d, here halved.
        far = np.abs(best_fit(Polynomial(degree), X, bend)(places) - exact).max()
        assert far > 0.1 / (degree + 1)
    few, many = (
        np.abs(best_fit(Gaussian(0.1), X[::step], bend[::step])(places) - exact).mean()
        for step in (20, 4)
    )
    assert many < few


@pytest.mark.syllabus("S0A-121")
def test_the_width_of_a_window_matters_more_than_its_shape(rng):
    X, held_out = rng.normal(size=(300, 1)), rng.normal(size=(300, 1))
    shapes = {
        # Widths are measured in standard deviations of the window.
        window: 1.0 / np.sqrt(window.variance)
        for window in (
            Bell(),
            Laplace(),
            Epanechnikov(),
            Quartic(),
            Triangle(),
            Tricube(),
        )
    }

    def score(window, width):
        density = window.densities(held_out, X, width * shapes[window]).mean(axis=1)
        return np.log(np.maximum(density, 1e-300)).mean()

    widths = np.geomspace(0.02, 5.0, 25)
    best = [max(score(window, width) for width in widths) for window in shapes]
    bell = [score(Bell(), width) for width in widths]
    assert np.ptp(best) < 0.05
    assert np.ptp(bell) > 10 * np.ptp(best)
