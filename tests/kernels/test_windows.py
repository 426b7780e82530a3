"""Smoothing windows: mass one, centred, of finite spread, in every dimension."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.neighbors import KernelDensity

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import windows
from infimum.kernels.windows import (
    Box,
    Epanechnikov,
    Exponential,
    Gaussian,
    Laplace,
    Quartic,
    Triangle,
    Tricube,
    Triweight,
    TruncatedLinear,
    Uniform,
    Window,
)

EVERY = [
    *(getattr(windows, name)() for name in windows.__all__ if name != "Window"),
    TruncatedLinear(0.4),
    TruncatedLinear(3.0),
    Exponential(0.5),
]
every_window = pytest.mark.parametrize("window", EVERY, ids=repr)


def integrate(function, reach=np.inf):
    corners = [0.4, 0.5, 1.0]
    ends = [0.0, *(c for c in corners if c < reach), min(reach, 60.0)]
    return sum(quad(function, a, b)[0] for a, b in pairwise(ends))


def test_every_exported_window_is_a_window():
    assert len(EVERY) >= 13
    assert all(isinstance(window, Window) for window in EVERY)


@pytest.mark.syllabus("S1-131", "S0A-115", "S0A-116", "S0A-117", "S0A-118", "S0A-119")
@every_window
def test_a_window_has_mass_one_mean_zero_and_finite_variance(window):
    mass = 2 * integrate(lambda u: float(window(u)))
    assert mass == pytest.approx(1.0, abs=1e-7)
    u = np.linspace(0, 3, 301)
    assert window(u) == pytest.approx(window(-u))  # so the mean is 0
    assert (window(u) >= 0).all()
    spread = 2 * integrate(lambda u: u * u * float(window(u)))
    assert spread == pytest.approx(window.variance, abs=1e-6)
    assert np.isfinite(spread)
    if np.isfinite(window.reach):
        assert window(window.reach + 1e-9) == 0.0


@pytest.mark.syllabus("S0A-115", "S0A-116", "S0A-117", "S0A-118", "S0A-119")
def test_the_windows_are_the_known_ones():
    u = np.array([0.0, 0.3, -0.9, 1.4])
    inside = np.abs(u) <= 1
    assert Gaussian()(u) == pytest.approx(np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi))
    assert Laplace()(u) == pytest.approx(np.exp(-np.abs(u)) / 2)
    assert Epanechnikov()(u) == pytest.approx(0.75 * np.maximum(0, 1 - u**2))
    assert Uniform()(u) == pytest.approx(0.5 * inside)
    assert Triangle()(u) == pytest.approx(np.maximum(0, 1 - np.abs(u)))


@pytest.mark.syllabus("S0A-120")
def test_quartic_and_triweight_are_powers_of_the_parabola():
    u = np.array([0.0, 0.5, -0.9, 1.4])
    parabola = np.maximum(0, 1 - u**2)
    assert Quartic()(u) == pytest.approx(15 / 16 * parabola**2)
    assert Triweight()(u) == pytest.approx(35 / 32 * parabola**3)
    assert Tricube()(u) == pytest.approx(70 / 81 * np.maximum(0, 1 - abs(u) ** 3) ** 3)


@pytest.mark.syllabus("S1-132", "S1-133")
def test_the_box_and_the_bell_of_the_second_text_are_the_same():
    u = np.array([-1.5, -1.0, 0.2, 1.0])
    assert Uniform()(u).tolist() == [0.0, 0.5, 0.5, 0.5]
    assert Gaussian()(0.0) == pytest.approx((2 * np.pi) ** -0.5)
    assert Gaussian()(2.0) == pytest.approx((2 * np.pi) ** -0.5 * np.exp(-2))


@pytest.mark.syllabus("S0A-114", "S0A-113")
def test_the_box_counts_the_samples_in_a_cube(rng):
    X, width = rng.uniform(-1, 1, (400, 2)), 0.6
    places = rng.uniform(-1, 1, (20, 2))
    inside = (np.abs(places[:, None] - X[None]) <= width / 2).all(axis=2)
    estimate = Box().densities(places, X, width).mean(axis=1)
    assert estimate == pytest.approx(inside.sum(axis=1) / (400 * width**2))
    assert estimate.max() > 0


@pytest.mark.syllabus("S1-134")
@every_window
def test_products_and_radial_forms_have_mass_one_in_the_plane(window):
    reach = 9.0 if np.isinf(window.reach) else 1.2
    side = (np.arange(360) + 0.5) / 180 * reach - reach
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    cell = (side[1] - side[0]) ** 2
    for radial in (True, False):
        mass = window.densities(grid, np.zeros((1, 2)), radial=radial).sum() * cell
        assert mass == pytest.approx(1.0, abs=0.02)
    # The constant of the line does not serve for the plane.
    naive = window(np.linalg.norm(grid, axis=1)).sum() * cell
    ratio = window.constant(2) / window.constant(1)
    assert naive == pytest.approx(ratio, rel=0.03)


@pytest.mark.syllabus("S1-134")
def test_a_radial_window_must_be_normalised_in_its_own_dimension():
    for window in (Gaussian(), Epanechnikov(), Uniform(), Laplace()):
        assert abs(window.constant(2) / window.constant(1) - 1) > 0.1


def test_the_product_and_radial_gaussians_are_the_same(rng):
    X = rng.normal(size=(6, 3))
    assert Gaussian().densities(X, X, 0.7) == pytest.approx(
        Gaussian().densities(X, X, 0.7, radial=True)
    )


@pytest.mark.parametrize(
    "window, name",
    [
        (Gaussian(), "gaussian"),
        (Laplace(), "exponential"),
        (Epanechnikov(), "epanechnikov"),
        (Uniform(), "tophat"),
        (Triangle(), "linear"),
    ],
)
def test_radial_densities_agree_with_an_independent_program(window, name, rng):
    X, places = rng.normal(size=(30, 2)), rng.normal(size=(8, 2))
    peer = KernelDensity(kernel=name, bandwidth=0.8).fit(X)
    expected = np.exp(peer.score_samples(places))
    ours = window.densities(places, X, 0.8, radial=True).mean(axis=1)
    assert ours == pytest.approx(expected, abs=1e-9)


@pytest.mark.syllabus("S0A-196")
def test_five_samples_under_a_triangle_of_half_width_two():
    X, places = np.array([[2.0], [3], [3], [5], [5]]), np.arange(8.0)[:, None]
    density = Triangle().densities(places, X, 2.0).mean(axis=1)
    expected = [0, 0.05, 0.20, 0.25, 0.20, 0.20, 0.10, 0]
    assert density == pytest.approx(np.array(expected))


@pytest.mark.syllabus("S1-020", "S1-021", "S1-022", "S1-023")
def test_windows_weigh_neighbours_by_distance(rng):
    X = rng.normal(size=(9, 2))
    apart = np.linalg.norm(X[:, None] - X[None], axis=2)
    assert np.array_equal(Uniform().similarities(X, X, 1.3), apart <= 1.3)
    for radius in (0.6, 5.0):  # a jump at the radius; no effect beyond 1
        expected = np.maximum(1 - apart, 0) * (apart <= radius)
        assert TruncatedLinear(radius).similarities(X, X) == pytest.approx(expected)
    bell = np.exp(-(apart**2) / (2 * 0.7**2))
    assert Gaussian().similarities(X, X, 0.7) == pytest.approx(bell)
    tail = np.exp(-apart / (np.sqrt(2) * 0.7))
    assert Exponential().similarities(X, X, 0.7) == pytest.approx(tail)


def test_windows_say_what_is_wrong(rng):
    X = rng.normal(size=(3, 2))
    with pytest.raises(InvalidParameterError, match="width"):
        Box().densities(X, X, 0.0)
    with pytest.raises(InvalidParameterError, match=r"TruncatedLinear\.radius"):
        TruncatedLinear(-1.0)
    with pytest.raises(DataError, match="one length"):
        Box().similarities(X, X[:, :1])
