"""From how many entries a matrix is found again, and why it is not where it is not."""

import numpy as np
import pytest

from infimum.models.recommend import soft_impute_path
from infimum.study.completion import (
    low_rank_matrix,
    noisy_recovery_experiment,
    recovery_experiment,
)


@pytest.mark.syllabus("S4B-188")
def test_recovery_is_harder_with_less_data_and_more_rank_and_easier_with_size():
    easy = recovery_experiment(20, 1, [0.2, 0.9], repeats=3)
    assert easy[0] == 1.0
    assert easy[1] == 0.0
    low, high = (recovery_experiment(20, r, [0.4], repeats=3)[0] for r in (1, 5))
    assert high < low
    shares = [0.6, 0.65, 0.7]
    small, large = (recovery_experiment(p, 1, shares, repeats=4) for p in (20, 40))
    assert (large > small).all()
    assert large.mean() >= 0.75
    assert recovery_experiment(20, 5, [0.1], repeats=3)[0] == 1.0
    assert recovery_experiment(40, 5, [0.3], repeats=2)[0] == 1.0


@pytest.mark.syllabus("S4B-188")
def test_where_a_matrix_is_not_found_another_has_a_smaller_norm():
    rng, failed = np.random.default_rng(0), 0
    for _ in range(5):
        Z = low_rank_matrix(20, 1, random_state=rng)
        mask = rng.random(Z.shape) >= 0.5
        path = soft_impute_path(
            np.where(mask, Z, np.nan), n_strengths=6, ratio=1e-5, tol=1e-5, max_iter=600
        )
        rows, columns, _ = path.completions[-1].factors
        M = rows @ columns.T
        missed = np.linalg.norm(M - Z) / np.linalg.norm(Z)
        assert np.abs((M - Z)[mask]).max() < 1e-2 * np.abs(Z).max()
        if missed > 0.05:
            failed += 1
            assert np.linalg.norm(M, "nuc") < np.linalg.norm(Z, "nuc")
    assert failed >= 2


@pytest.mark.syllabus("S4B-189")
def test_noise_is_averaged_out_where_enough_is_seen():
    errors = noisy_recovery_experiment(30, 1, [0.1, 0.5, 0.85], repeats=2)
    assert errors[0] < 1.0
    assert (np.diff(errors) > 0).all()
