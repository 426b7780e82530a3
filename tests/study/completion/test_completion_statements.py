"""Statements on completion and recommendation, by the names a reader would use."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import root_mean_squared_error

from infimum.models.recommend import (
    ContentRecommender,
    HardImpute,
    NeighborRecommender,
    SoftImpute,
    shrink_singular_values,
    soft_impute_path,
)
from infimum.study.completion import (
    approximate_recovery,
    coherence,
    coupon_draws,
    coupon_probability,
    degrees_of_freedom,
    entries_needed,
    low_rank_matrix,
    matrix_coherences,
    missed_entry_probability,
    project_seen,
    project_unseen,
    rank_objective,
    recovery_theorem,
    trace_objective,
    two_raters_error,
)


def masked(Z, share, seed=0):
    mask = np.random.default_rng(seed).random(Z.shape) < share
    return np.where(mask, Z, np.nan), mask


@pytest.mark.syllabus("S4B-160")
def test_content_recommends_what_is_like_the_liked_and_knows_new_items():
    features = {"jazz": [1, 0.1], "swing": [0.9, 0.2], "metal": [0, 1], "new": [1, 0.2]}
    seen = (["ann", "ann", "bob"], ["jazz", "metal", "swing"], [5, 1, 4])
    model = ContentRecommender().fit(seen, item_features=features)
    a, b = np.array(features["jazz"]), np.array(features["new"])
    cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
    assert dict(model.similar_items("new"))["jazz"] == pytest.approx(cosine)
    told = model.recommend(["ann"], 2)[0]
    assert {name for name, _ in told} == {"swing", "new"}
    assert model.predict(["ann"], ["new"])[0] > model.predict(["ann"], ["metal"])[0]


@pytest.mark.syllabus("S4B-161")
def test_collaborative_filtering_finds_blocks_without_features():
    rng = np.random.default_rng(0)
    X = np.where(np.arange(20)[:, None] < 10, 1.0, 5.0) * np.ones((20, 24))
    X[:, 12:] = 6.0 - X[:, 12:]
    X[rng.random(X.shape) < 0.4] = np.nan
    for by in ("item", "user"):
        model = NeighborRecommender(by).fit(X)
        for user in (0, 19):
            liked = [item for item, _ in model.recommend([user], 2)[0]]
            assert all((item >= 12) == (user < 10) for item in liked)


@pytest.mark.syllabus("S4B-166")
def test_two_raters_by_chance_differ_by_two():
    assert two_raters_error(5) == 2.0
    a, b = np.divmod(np.arange(25), 5)
    assert root_mean_squared_error(a, b) == pytest.approx(two_raters_error(5))
    assert 20_000 * 500_000 * 0.01 == 1e8  # not 10⁹


@pytest.mark.syllabus("S4B-168")
def test_least_rank_can_be_found_by_trying_in_a_tiny_case():
    Z, mask = np.array([[1.0, 2.0], [2.0, 0.0]]), np.array([[1, 1], [1, 0]], bool)
    ranks = []
    for guess in np.arange(-1.0, 6.0, 0.5):
        M = Z.copy()
        M[1, 1] = guess
        found = rank_objective(M, Z, mask, strength=3.0)
        assert found.exact
        assert found.regularized == pytest.approx(3.0 * found.rank)
        ranks.append((found.rank, guess))
    assert min(ranks) == (1, 4.0)
    near = rank_objective(Z + 0.1, Z, mask, delta=0.04)
    assert near.tolerated
    assert not near.exact


@pytest.mark.syllabus("S4B-169")
def test_hard_impute_finds_rank_one_from_half_and_never_gets_worse():
    Z = low_rank_matrix(40, 1, random_state=0)
    X, _ = masked(Z, 0.5)
    model = HardImpute(1).fit(X)
    assert model.transform(X) == pytest.approx(Z, abs=1e-4)
    assert (np.diff(model.history_) <= 1e-12).all()
    noisy = X + 0.1 * np.random.default_rng(1).standard_normal(X.shape)
    assert (np.diff(HardImpute(3, max_iter=60).fit(noisy).history_) <= 1e-12).all()


@pytest.mark.syllabus("S4B-171")
def test_the_two_trace_norm_problems_have_the_same_solutions():
    X, mask = masked(low_rank_matrix(12, 2, random_state=1), 0.7)
    Z = np.nan_to_num(X)
    strength = 1.0
    model = SoftImpute(strength / mask.sum(), tol=1e-7).fit(X)
    M = model.row_factors_ @ model.column_factors_.T
    here = trace_objective(M, Z, mask, strength=strength)
    assert here.residual_norm <= strength * (1 + 1e-4)
    delta = 2 * (here.regularized - strength * here.trace_norm)
    rng = np.random.default_rng(2)
    for _ in range(200):  # whoever is as near the data has no smaller norm
        other = M + 0.05 * rng.standard_normal(M.shape)
        told = trace_objective(other, Z, mask, strength=strength, delta=delta)
        assert told.regularized > here.regularized - 1e-9
        assert not told.tolerated or told.trace_norm >= here.trace_norm - 1e-6


@pytest.mark.syllabus("S4B-173")
def test_shrinkage_takes_the_smaller_of_value_and_threshold():
    Z = np.random.default_rng(3).standard_normal((7, 5))
    sizes = np.linalg.svd(Z, compute_uv=False)
    for amount in (0.5, 1.5, 10.0):
        M = shrink_singular_values(Z, amount)
        lost = np.linalg.norm(Z, "nuc") - np.linalg.norm(M, "nuc")
        assert lost == pytest.approx(np.minimum(sizes, amount).sum())


@pytest.mark.syllabus("S4B-174")
def test_shrinkage_is_the_proximal_step_with_the_half():
    rng = np.random.default_rng(4)
    Z = rng.standard_normal((5, 4))

    def value(M, half):
        return half * np.sum((Z - M) ** 2) + np.linalg.norm(M, "nuc")

    M = shrink_singular_values(Z, 1.0)
    for _ in range(200):
        other = M + 0.1 * rng.standard_normal(M.shape)
        assert value(other, 0.5) > value(M, 0.5)
    assert value(shrink_singular_values(Z, 0.5), 1.0) < value(M, 1.0)


@pytest.mark.syllabus("S4B-175")
def test_the_projections_split_a_matrix():
    rng = np.random.default_rng(5)
    Z, M = rng.standard_normal((2, 6, 5))
    mask = rng.random((6, 5)) < 0.5
    assert project_seen(Z, mask) + project_unseen(Z, mask) == pytest.approx(Z)
    lost = np.sum((Z - M)[mask] ** 2)
    apart = project_seen(Z, mask) - project_seen(M, mask)
    assert np.linalg.norm(apart) ** 2 == pytest.approx(lost)


@pytest.mark.syllabus("S4B-176")
def test_soft_impute_along_a_path_ends_at_proved_minima():
    X, mask = masked(low_rank_matrix(30, 2, random_state=6), 0.6)
    X = X + 0.1 * np.random.default_rng(7).standard_normal(X.shape)
    largest = np.linalg.norm(np.nan_to_num(X), 2) / mask.sum()
    path = soft_impute_path(X, n_strengths=5, ratio=0.05, tol=1e-5)
    assert path.strengths[0] == pytest.approx(largest, rel=1e-3)
    assert path.ranks[0] == 0
    assert all(proof.closed for proof in path.certificates)
    assert [p.primal for p in path.certificates] == sorted(
        (p.primal for p in path.certificates), reverse=True
    )
    nothing = SoftImpute(1.001 * largest).fit(X)
    assert not nothing.row_factors_.any()


@pytest.mark.syllabus("S4B-177")
def test_sparse_plus_low_rank_is_the_filled_matrix():
    Z = low_rank_matrix(300, 2, 200, random_state=8)
    mask = np.random.default_rng(9).random(Z.shape) < 0.1
    seen = sparse.csr_array(np.where(mask, Z, 0.0))
    sparse_fit = SoftImpute(1e-3, tol=1e-4).fit_entries(seen)
    dense_fit = SoftImpute(1e-3, tol=1e-4).fit(np.where(mask, Z, np.nan))
    said = sparse_fit.predict_entries(np.arange(50), np.arange(50))
    assert said == pytest.approx(
        dense_fit.predict_entries(np.arange(50), np.arange(50)), abs=1e-6
    )
    old = sparse_fit.row_factors_ @ sparse_fit.column_factors_.T
    filled = np.where(mask, Z, old)
    split = np.where(mask, Z - old, 0.0) + old
    assert split == pytest.approx(filled)


@pytest.mark.syllabus("S4B-179")
def test_every_column_must_be_hit():
    rng = np.random.default_rng(10)
    for c, seen in ((0, 0.379), (1, 0.703), (2, 0.875)):
        n = round(100 * np.log(100) + c * 100)
        exact = coupon_probability(n, 100)
        assert exact == pytest.approx(seen, abs=0.02)
        assert coupon_probability(n, 100, limit=True) == pytest.approx(exact, abs=0.02)
        hits = [len(set(rng.integers(0, 100, n).tolist())) == 100 for _ in range(600)]
        assert np.mean(hits) == pytest.approx(exact, abs=0.07)
    assert coupon_draws(100) == pytest.approx(518.74, abs=0.01)


@pytest.mark.syllabus("S4B-180")
def test_a_matrix_of_rank_r_has_r_times_2p_minus_r_numbers():
    assert degrees_of_freedom(1, 40) == 79
    assert degrees_of_freedom(3, 10) == 3 * (20 - 3)
    assert degrees_of_freedom(10, 10) == 100


@pytest.mark.syllabus("S4B-181")
def test_coherence_lies_between_one_and_d_over_r():
    d = 12
    assert coherence(np.eye(d)[:, :1]) == pytest.approx(d)
    assert coherence(np.ones((d, 1))) == pytest.approx(1.0)
    U = np.random.default_rng(11).standard_normal((d, 3))
    assert 1.0 <= coherence(U) <= d / 3


@pytest.mark.syllabus("S4B-182")
def test_coherent_matrices_hide():
    p = 10
    single = np.zeros((p, p))
    single[0, 0] = 1.0
    flipped = np.ones((p, p))
    flipped[0] = -1.0
    assert matrix_coherences(single).mu0 == pytest.approx(p)
    assert matrix_coherences(np.ones((p, p))).mu0 == pytest.approx(1.0)
    assert matrix_coherences(flipped).mu0 == pytest.approx(1.0)
    drawn = matrix_coherences(low_rank_matrix(p, 2, random_state=12))
    assert 1.0 < drawn.mu0 < p / 2
    assert missed_entry_probability(30, p) == pytest.approx(0.7)


@pytest.mark.syllabus("S4B-183")
def test_random_spaces_come_nearer_to_the_axes_as_they_grow():
    rng = np.random.default_rng(13)
    longest = []
    for r in (1, 5, 10, 20, 50, 100):
        U = rng.standard_normal((100, r))
        longest.append(np.sqrt(coherence(U) * r / 100))
    assert longest == sorted(longest)
    assert longest == pytest.approx([0.3, 0.38, 0.46, 0.58, 0.85, 1.0], abs=0.08)


@pytest.mark.syllabus("S4B-184")
def test_low_coherence_needs_about_r_p_log_p():
    assert entries_needed(2, 100) == pytest.approx(2 * 100 * np.log(100))
    assert entries_needed(2, 100) > degrees_of_freedom(2, 100)
    assert entries_needed(1, 100, constant=100) == pytest.approx(100**2 * np.log(100))


@pytest.mark.syllabus("S4B-185")
def test_the_theorem_is_vacuous_for_small_matrices_only():
    M = low_rank_matrix(60, 2, random_state=14)
    found = matrix_coherences(M)
    small = recovery_theorem(2, M.shape, found.mu0, found.mu1)
    assert small.vacuous
    large = recovery_theorem(1, (10**6, 10**6), 2.0, 2.0, beta=2.0)
    assert not large.vacuous
    assert 0.9 < large.probability < 1
    more = recovery_theorem(1, (10**6, 10**6), 2.0, 2.0, beta=3.0)
    assert more.entries > large.entries
    assert more.probability > large.probability


@pytest.mark.syllabus("S4B-186")
def test_the_guarantee_scales_with_the_noise_and_the_entries():
    one = approximate_recovery(2, (100, 200), 5000, 3.0)
    assert approximate_recovery(2, (100, 200), 5000, 6.0).error == 2 * one.error
    assert approximate_recovery(2, (100, 200), 10000, 3.0).error == one.error / 2
    harder = approximate_recovery(2, (100, 200), 5000, 3.0, condition=2.0)
    assert harder.entries > one.entries
    assert one.probability == 1 - 1 / 100**3


@pytest.mark.syllabus("S4B-187")
def test_drawn_matrices_have_the_rank():
    for p, r in ((20, 1), (20, 5), (40, 5)):
        assert np.linalg.matrix_rank(low_rank_matrix(p, r, random_state=p)) == r
