"""Statements on compressed sensing, by the names a reader would use."""

from itertools import combinations

import numpy as np
import pytest

from infimum.models.sensing import (
    BasisPursuit,
    iterative_thresholding,
    measurement_matrix,
    minimum_energy,
    mutual_coherence,
    orthonormal_basis,
    restricted_isometry,
    sparse_signal,
    split_pursuit,
)
from infimum.study.sensing import (
    alias,
    ball_image,
    compress,
    count_bounds,
    gaussian_size,
    peak_signal_to_noise,
    recovery_by_isometry,
    recovery_rate,
    shannon_reconstruct,
    single_pixel_camera,
    undersampled_series,
)


@pytest.mark.syllabus("S4B-190")
def test_few_wavelet_coefficients_hold_an_image():
    image = ball_image(64)
    kept = compress(image, 400)
    assert peak_signal_to_noise(kept, image) > 30
    assert compress(image, image.size) == pytest.approx(image, abs=1e-12)
    qualities = [
        peak_signal_to_noise(compress(image, k), image) for k in (50, 200, 800)
    ]
    assert qualities == sorted(qualities)


@pytest.mark.syllabus("S4B-191")
def test_signals_are_sparse_in_their_basis():
    for kind in ("identity", "dct", "haar", "fourier"):
        basis = orthonormal_basis(kind, 32)
        x, coefficients = sparse_signal(32, 3, basis, random_state=0)
        assert np.count_nonzero(coefficients) == 3
        assert basis.analyze(x) == pytest.approx(coefficients, abs=1e-12)
    assert np.count_nonzero(np.abs(sparse_signal(32, 3, "dct", random_state=1)[0])) > 3


@pytest.mark.syllabus("S4B-192")
def test_the_same_measurements_have_many_explanations():
    W = measurement_matrix("gaussian", 15, 40, random_state=0)
    x, _ = sparse_signal(40, 3, random_state=1)
    least = minimum_energy(W, W @ x).signal
    assert W @ least == pytest.approx(W @ x)
    assert np.count_nonzero(np.abs(least) > 1e-8) == 40
    assert np.linalg.norm(least) < np.linalg.norm(x)
    assert BasisPursuit().fit(W, W @ x).signal_ == pytest.approx(x, abs=1e-9)


@pytest.mark.syllabus("S4B-193")
def test_one_pixel_sees_more_by_sparsity_than_by_energy():
    shot = single_pixel_camera(ball_image(64), 1600)
    assert shot.sparse_quality > shot.energy_quality + 12
    assert shot.sparse_quality > 25


@pytest.mark.syllabus("S4B-194")
def test_success_rises_from_none_to_all():
    rates = recovery_rate(100, 5, [10, 15, 20, 25, 30], repeats=40)
    assert rates[0] <= 0.05
    assert rates[-1] >= 0.975
    assert (np.diff(rates) > 0).all()
    assert rates == pytest.approx([0.0, 0.1, 0.6, 0.9, 1.0], abs=0.2)


@pytest.mark.syllabus("S4B-194")
def test_projections_and_thresholds_reach_the_same_least_norm():
    rng = np.random.default_rng(5)
    for basis in ("identity", "dct"):
        W = measurement_matrix("gaussian", 60, 150, random_state=rng)
        x, _ = sparse_signal(150, 8, basis, random_state=rng)
        exact = BasisPursuit(basis=basis).fit(W, W @ x)
        found = split_pursuit(W, W @ x, basis=basis, tol=1e-4, max_iter=3000)
        assert found.certificate.closed
        assert found.certificate.dual <= exact.certificate_.primal
        assert found.certificate.primal >= exact.certificate_.dual
        assert found.signal == pytest.approx(x, abs=1e-2)
    twice = split_pursuit(np.vstack([W, W[:3]]), np.r_[W @ x, W[:3] @ x], basis=basis)
    assert twice.certificate.closed
    wrong = split_pursuit(np.vstack([W, W[:1]]), np.r_[W @ x, 1e3], basis=basis)
    assert not wrong.certificate.closed
    nothing = split_pursuit(W, np.zeros(60))
    assert not nothing.signal.any()


@pytest.mark.syllabus("S4B-195")
def test_naming_a_support_takes_about_s_log_d_over_s():
    for d, s in ((100, 5), (1000, 1), (50, 25), (8, 8)):
        found = count_bounds(d, s)
        assert found.lower <= found.exact + 1e-9
        assert found.exact <= found.upper


@pytest.mark.syllabus("S4B-197")
def test_the_isometry_constant_is_the_worst_support():
    W = measurement_matrix("gaussian", 12, 8, random_state=0)
    for s in (1, 2, 3):
        worst = max(
            np.abs(np.linalg.eigvalsh(W[:, S].T @ W[:, S]) - 1).max()
            for S in map(list, combinations(range(8), s))
        )
        found = restricted_isometry(W, s)
        assert found.exact
        assert found.lower == pytest.approx(worst)
    assert restricted_isometry(np.eye(6), 3).upper == 0.0
    wide = measurement_matrix("gaussian", 60, 120, random_state=1)
    bracket = restricted_isometry(wide, 4)
    assert not bracket.exact
    S = list(bracket.support)
    attained = np.abs(np.linalg.eigvalsh(wide[:, S].T @ wide[:, S]) - 1).max()
    assert attained == pytest.approx(bracket.lower)
    assert bracket.lower < bracket.upper
    gram = wide.T @ wide
    apart = np.sort(np.abs(gram - np.diag(np.diag(gram))), axis=1)[:, ::-1]
    discs = np.abs(np.diag(gram) - 1) + apart[:, :3].sum(axis=1)
    assert bracket.upper == pytest.approx(discs.max())
    short = measurement_matrix("gaussian", 10, 40, random_state=1)
    longest = np.linalg.norm(short, 2) ** 2
    assert restricted_isometry(short, 20).upper == pytest.approx(longest - 1)
    assert restricted_isometry(wide, 1).lower <= bracket.lower
    assert 0 < mutual_coherence(wide) < 1


@pytest.mark.syllabus("S4B-198")
def test_an_isometry_below_one_makes_the_sparsest_unique():
    rng = np.random.default_rng(0)
    W = measurement_matrix("gaussian", 60, 8, random_state=rng)
    epsilon = restricted_isometry(W, 4).upper
    assert recovery_by_isometry(epsilon)[0]
    for S in combinations(range(8), 2):
        x = np.zeros(8)
        x[list(S)] = rng.standard_normal(2)
        explained = [
            T
            for T in combinations(range(8), 2)
            if np.linalg.lstsq(W[:, T], W @ x, rcond=None)[1][0] < 1e-18
        ]
        assert explained == [S]


@pytest.mark.syllabus("S4B-199")
def test_the_least_l1_norm_is_the_sparsest_below_the_smaller_limit():
    rng = np.random.default_rng(1)
    W = measurement_matrix("gaussian", 400, 10, random_state=rng)
    epsilon = restricted_isometry(W, 4).upper
    assert epsilon < 1 / (1 + np.sqrt(2))
    assert recovery_by_isometry(epsilon) == (True, True)
    for S in combinations(range(10), 2):
        x = np.zeros(10)
        x[list(S)] = rng.standard_normal(2)
        found = BasisPursuit().fit(W, W @ x)
        assert found.coef_ == pytest.approx(x, abs=1e-9)
        # What there is to gain, and the gap's unit with it, is the norm reached.
        small = BasisPursuit().fit(W, 1e-3 * (W @ x)).certificate_
        assert found.certificate_.scale == pytest.approx(np.abs(x).sum())
        assert small.scale == pytest.approx(1e-3 * found.certificate_.scale)


@pytest.mark.syllabus("S4B-199")
def test_below_one_is_not_enough_for_the_l1_norm():
    a = 0.1
    W = np.array([[1.0, 0.0, a], [0.0, 1.0, a]])  # the third column is cheap to replace
    W[:, 2] *= 1.0 / np.sqrt(1.0)
    epsilon = restricted_isometry(W, 2).upper
    assert epsilon < 1
    assert recovery_by_isometry(epsilon) == (True, False)
    x = np.array([0.0, 0.0, 1.0])
    found = BasisPursuit().fit(W, W @ x).coef_
    assert np.abs(found).sum() < np.abs(x).sum() - 0.5


@pytest.mark.syllabus("S4B-200")
def test_gaussian_rows_need_variance_one_over_k():
    W = measurement_matrix("gaussian", 200, 50, random_state=0)
    rng = np.random.default_rng(1)
    ratios = []
    for _ in range(300):
        x, _ = sparse_signal(50, 5, random_state=rng)
        ratios.append(np.sum((W @ x) ** 2) / np.sum(x**2))
    assert 0.6 < min(ratios) <= max(ratios) < 1.45
    assert np.mean(ratios) * 200 / 5 > 30  # with 1/s in place of 1/k
    assert gaussian_size(50, 5, 0.25) > gaussian_size(50, 5, 0.5) > 0
    U = orthonormal_basis("dct", 50)
    turned = U.analyze(W.T).T
    assert restricted_isometry(turned, 1).upper < 1


@pytest.mark.syllabus("S4B-201")
def test_it_takes_sparsity_incoherence_and_a_nonlinear_way_back():
    rng = np.random.default_rng(2)
    x, _ = sparse_signal(64, 3, "dct", random_state=rng)
    W = measurement_matrix("rows", 32, 64, random_state=rng)
    good = BasisPursuit(basis="dct").fit(W, W @ x).signal_
    assert good == pytest.approx(x, abs=1e-8)
    coherent, _ = sparse_signal(64, 3, random_state=rng)  # rows see spikes or not
    bad = BasisPursuit().fit(W, W @ coherent).signal_
    missed = np.flatnonzero(coherent * (1 - W.sum(axis=0)))
    assert not bad[missed].any()
    dense = rng.standard_normal(64)
    assert (
        np.abs(BasisPursuit(basis="dct").fit(W, W @ dense).signal_ - dense).max() > 0.1
    )
    assert np.abs(minimum_energy(W, W @ x).signal - x).max() > 0.05


@pytest.mark.syllabus("S4B-202")
def test_equal_distances_alias_and_random_ones_do_not():
    found = undersampled_series()
    high = found.equispaced
    copies = [12, 20, 44, 52, 76, 84, 108, 116]
    assert high[copies] == pytest.approx(np.full(8, high[20]))
    assert np.argmax(found.random[1:]) + 1 in {20, 57, 101}
    exact = 0
    for seed in range(10):
        again = undersampled_series(random_state=seed)
        exact += np.abs(again.recovered - again.series).max() < 1e-6
    assert exact >= 9
    W = measurement_matrix("rows", 32, 256, rows=found.places)
    steps = iterative_thresholding(
        W, found.series[found.places], n_nonzero=3, basis="fourier"
    )
    assert steps.residuals[-1] < steps.residuals[0]


@pytest.mark.syllabus("S4B-203")
def test_the_least_energy_has_artefacts_that_the_l1_norm_has_not():
    rng = np.random.default_rng(3)
    basis = orthonormal_basis("dct", (12, 12))
    image, _ = sparse_signal(144, 6, basis, random_state=rng)
    W = measurement_matrix("rows", 72, 144, random_state=rng)
    sparse = BasisPursuit(basis=basis).fit(W, W @ image).signal_
    energy = minimum_energy(W, W @ image).signal
    assert np.linalg.norm(sparse - image) < 1e-6
    assert np.linalg.norm(energy - image) > 0.3 * np.linalg.norm(image)


@pytest.mark.syllabus("S4B-204")
def test_samples_at_twice_the_highest_frequency_determine_a_signal():
    rate, t = 10.0, np.arange(-3000, 3001) / 10.0
    times = np.linspace(-1, 1, 21) + 0.05
    below = np.cos(2 * np.pi * 3.7 * t)
    said = shannon_reconstruct(below, rate, times, start=-300.0)
    assert said == pytest.approx(np.cos(2 * np.pi * 3.7 * times), abs=2e-3)
    for f in (3.0, 4.5):
        above = np.cos(2 * np.pi * (rate - f) * t)
        assert above == pytest.approx(np.cos(2 * np.pi * f * t), abs=1e-9)
        assert alias(rate - f, rate) == pytest.approx(f)
        wrong = shannon_reconstruct(above, rate, times, start=-300.0)
        assert np.abs(wrong - np.cos(2 * np.pi * (rate - f) * times)).max() > 0.5
