"""∫p̂² in several dimensions: how much windows overlap."""

import numpy as np
import pytest

from infimum.errors import IncompatibleError
from infimum.kernels.windows import Gaussian, Uniform
from infimum.models.density import KernelDensity, choose_bandwidth
from infimum.models.density._window_overlap import overlap
from infimum.models.density.bandwidth_choice import squared_integral

APART = np.linspace(0.0, 2.2, 12)


def test_balls_overlap_in_lenses():
    inside = np.minimum(APART / 2, 1.0)
    lens = 2.0 * np.arccos(inside) - 2.0 * inside * np.sqrt(1.0 - inside**2)
    np.testing.assert_allclose(overlap(Uniform(), 2)(APART), lens, atol=1e-4)
    cap = np.pi / 12 * (4 + APART) * np.maximum(2 - APART, 0.0) ** 2
    np.testing.assert_allclose(overlap(Uniform(), 3)(APART), cap, atol=1e-4)


@pytest.mark.parametrize("d", [2, 3, 6])
def test_gaussian_windows_overlap_in_a_wider_one(d):
    wider = np.pi ** (d / 2) * np.exp(-(APART**2) / 4)
    np.testing.assert_allclose(overlap(Gaussian(), d)(APART), wider, rtol=1e-5)


@pytest.mark.parametrize("kernel", ["tophat", "epanechnikov", "exponential", "cosine"])
def test_the_square_of_a_density_is_that_of_a_fine_grid(kernel, rng):
    model = KernelDensity(bandwidth=0.5, kernel=kernel).fit(rng.normal(size=(40, 2)))
    line = np.linspace(-8.0, 8.0, 250)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    cell = (line[1] - line[0]) ** 2
    expected = np.exp(2.0 * model.score_samples(grid)).sum() * cell
    assert squared_integral(model) == pytest.approx(expected, rel=0.01)


def test_hold_out_chooses_a_bandwidth_for_every_window_and_dimension(rng):
    X = rng.normal(size=(200, 3))
    widths = np.geomspace(0.1, 10.0, 9)
    choice = choose_bandwidth(X, widths, kernel="epanechnikov", criterion="hold_out_l2")
    assert 0.5 < choice.best < 4.0
    local = KernelDensity(bandwidth="local", kernel="tophat").fit(X)
    with pytest.raises(IncompatibleError, match="windows of one width"):
        squared_integral(local)
