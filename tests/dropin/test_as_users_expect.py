"""What scikit-learn's own tests found, and its users would have."""

import numpy as np
import pytest
import sklearn
import sklearn.cluster
import sklearn.covariance
from scipy import sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import GroupKFold, KFold
from sklearn.pipeline import make_pipeline

from infimum.dropin import (
    cluster,
    covariance,
    ensemble,
    linear_model,
    manifold,
    neighbors,
    tree,
)


@pytest.mark.parametrize("kind", [tree.DecisionTreeRegressor, tree.ExtraTreeRegressor])
@pytest.mark.parametrize("sign", [-1, 1])
def test_medians_below_a_monotone_split_keep_to_their_side(rng, kind, sign):
    X, y = rng.random((300, 2)), rng.random(300)
    model = kind(criterion="absolute_error", monotonic_cst=[sign, 0], random_state=0)
    known = model.fit(X, y).tree_
    low, high = np.full(known.node_count, -np.inf), np.full(known.node_count, np.inf)
    value = known.value[:, 0, 0]
    for node in np.flatnonzero(known.feature >= 0):
        left, right = known.children_left[node], known.children_right[node]
        for child in (left, right):
            low[child], high[child] = low[node], high[node]
        if known.feature[node] == 0:
            below, above = (left, right) if sign > 0 else (right, left)
            high[below] = low[above] = (value[left] + value[right]) / 2.0
    assert (low <= value).all()
    assert (value <= high).all()


def test_trees_of_counts_never_foretell_nothing(rng):
    X = rng.normal(size=(400, 4))
    y = np.where(rng.random(400) < 0.5, 0.0, np.abs(X[:, 0]) * 0.1)
    for targets in (y, np.column_stack([y, y + 0.1])):
        model = tree.DecisionTreeRegressor(criterion="poisson").fit(X, targets)
        assert model.predict(X).min() > 0


def test_a_random_threshold_lies_among_the_values_that_are_there():
    X = np.array([[np.nan], [1.0], [2.0]])
    model = tree.ExtraTreeRegressor(max_depth=1, random_state=0).fit(X, [9.0, 1.0, 1.0])
    assert 1.0 <= model.tree_.threshold[0] <= 2.0
    with pytest.raises(TypeError, match="dense targets"):
        tree.DecisionTreeRegressor().fit(np.eye(3), sparse.csr_array(np.eye(3)))


def test_equal_rows_are_no_outliers_of_an_isolation_forest(rng):
    for X in (np.ones((60, 3)), rng.normal(size=(1, 3))):
        model = ensemble.IsolationForest(n_estimators=20, random_state=0).fit(X)
        assert (model.predict(rng.normal(size=(9, 3))) == 1).all()
    assert model.estimator_.get_params()["max_features"] == 1


def test_committees_tell_their_members_and_what_is_wrong_with_them(rng):
    X, y = make_multilabel_classification(n_classes=3, random_state=0)
    forest = ensemble.RandomForestClassifier(n_estimators=3, random_state=0)
    near = neighbors.KNeighborsClassifier()
    stack = ensemble.StackingClassifier([("forest", forest), ("near", near)], near)
    assert stack.fit(X, y).transform(X).shape == (100, 6)
    assert stack.predict(X).shape == y.shape
    assert stack.named_estimators.near is near
    votes = ensemble.VotingClassifier([("near", near)])
    with pytest.raises(NotImplementedError, match="several columns"):
        votes.fit(X, y)
    for wrong in ([near], [(2, near)]):
        with pytest.raises(ValueError, match="pairs"):
            ensemble.VotingClassifier(wrong).fit(X, y[:, 0])
    with pytest.raises(ValueError, match="should be a classifier"):
        ensemble.VotingClassifier([("r", linear_model.Ridge())]).fit(X, y[:, 0])
    with pytest.raises(TypeError, match="sample weights"):
        votes.fit(X, y[:, 0], sample_weight=np.ones(100))


def test_an_old_score_of_rows_left_out_does_not_outlive_a_fit(rng):
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    model = ensemble.BaggingClassifier(n_estimators=9, oob_score=True, random_state=0)
    assert hasattr(model.fit(X, y), "oob_score_")
    model.set_params(oob_score=False, warm_start=True, n_estimators=10).fit(X, y)
    assert not hasattr(model, "oob_score_")


def test_a_rare_class_is_learnt_though_boosting_stops_early(rng):
    X = rng.normal(size=(40, 2))
    y = np.r_[np.zeros(39, dtype=int), 1]
    model = ensemble.GradientBoostingClassifier(n_iter_no_change=5, random_state=0)
    assert model.fit(X, y).predict(X[-1:]) == [1]
    weights = np.r_[np.ones(39), 0]
    with pytest.raises(ValueError, match="2 classes"):
        model.fit(X, y, sample_weight=weights)


def test_the_densest_rows_give_the_covariance_of_normal_ones(rng):
    X = rng.normal(size=(2000, 10))
    model = covariance.MinCovDet(support_fraction=1.0, random_state=0).fit(X)
    theirs = sklearn.covariance.MinCovDet(support_fraction=1.0, random_state=0).fit(X)
    np.testing.assert_allclose(model.covariance_, theirs.covariance_, rtol=1e-9)
    with pytest.raises(NotImplementedError):
        model.error_norm(np.eye(10), norm="other")


def test_a_graph_of_neighbours_is_clustered_as_it_is(rng):
    X = np.vstack([rng.normal(size=(30, 2)), 9.0 + rng.normal(size=(30, 2))])
    chain = make_pipeline(
        neighbors.KNeighborsTransformer(n_neighbors=8, mode="connectivity"),
        cluster.SpectralClustering(2, affinity="precomputed", random_state=0),
    )
    with pytest.warns(UserWarning, match="mean of both"):
        labels = chain.fit_predict(X)
    assert len(set(labels[:30])) == len(set(labels[30:])) == 1
    with pytest.raises(ValueError, match="n_best"):
        cluster.SpectralBiclustering(2, n_components=2, n_best=3).fit(X - X.min())


def test_functions_of_sparse_samples_are_given_sparse_samples():
    X = sparse.csr_array(np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]))

    def apart(x, y):
        assert sparse.issparse(x)
        return float((x @ y.T).toarray().item())

    model = neighbors.NearestNeighbors(n_neighbors=1, algorithm="brute", metric=apart)
    found = model.fit(X).kneighbors(X, return_distance=False)
    assert found.ravel().tolist() == [2, 2, 0]


def test_outliers_of_an_unknown_class_are_told():
    model = neighbors.RadiusNeighborsClassifier(0.5, outlier_label=-1)
    model.fit([[0.0], [1.0]], [0, 1])
    with pytest.warns(UserWarning, match="not in training classes"):
        assert model.predict([[9.0]]) == [-1]
    with pytest.raises(TypeError, match="outlier_label"):
        model.set_params(outlier_label="a").fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    "name",
    [
        "ElasticNetCV", "LarsCV", "LassoCV", "LassoLarsCV", "LogisticRegressionCV",
        "MultiTaskLassoCV", "OrthogonalMatchingPursuitCV", "RidgeCV",
        "RidgeClassifierCV",
    ],
)  # fmt: skip
def test_splitters_are_told_of_groups(rng, name):
    X, groups = rng.normal(size=(60, 4)), np.repeat(np.arange(6), 10)
    y = X[:, 0] + 0.1 * rng.normal(size=60)
    if name in {"LogisticRegressionCV", "RidgeClassifierCV"}:
        y = (y > 0).astype(int)
    y = np.column_stack([y, -y]) if name.startswith("Multi") else y
    model = getattr(linear_model, name)(cv=GroupKFold(3))
    with sklearn.config_context(enable_metadata_routing=True):
        assert model.fit(X, y, groups=groups).predict(X).shape == y.shape
    with pytest.raises(ValueError, match="groups"):
        model.fit(X, y, groups=groups)


def test_a_warm_one_class_machine_goes_on_from_its_offset(rng):
    X = rng.normal(size=(40, 3))
    settings = {"shuffle": False, "eta0": 0.01, "learning_rate": "constant"}
    first = linear_model.SGDOneClassSVM(nu=0.5, **settings).fit(X)
    told = linear_model.SGDOneClassSVM(nu=0.1, **settings)
    told.fit(X, coef_init=first.coef_, offset_init=first.offset_)
    warm = linear_model.SGDOneClassSVM(nu=0.5, warm_start=True, **settings).fit(X)
    np.testing.assert_allclose(warm.set_params(nu=0.1).fit(X).coef_, told.coef_)


def test_single_precision_stays_single(rng):
    X = rng.normal(size=(30, 4)).astype(np.float32)
    model = linear_model.BayesianRidge().fit(X, X[:, 0])
    assert [each.dtype for each in model.predict(X, return_std=True)] == [
        np.float32
    ] * 2
    coef = linear_model.orthogonal_mp_gram(X.T @ X, X.T @ X[:, 0], n_nonzero_coefs=1)
    assert coef.dtype == np.float32


def test_folds_that_lack_a_class_are_scored_by_chances(rng):
    X, y = np.arange(4.0)[:, None], np.array(["a", "a", "b", "b"])
    for scoring in ("neg_brier_score", "neg_log_loss"):
        model = linear_model.LogisticRegressionCV(
            cv=KFold(2), scoring=scoring, Cs=[1e-6, 1.0], use_legacy_attributes=False
        )
        assert model.fit(X, y).C_ == 1e-6
        assert (model.scores_ < 0.0).all()


def test_what_is_no_distance_or_number_is_refused_before_it_is_used(rng):
    X = rng.normal(size=(40, 2))
    for method in ("barnes_hut", "exact"):
        model = manifold.TSNE(metric=lambda *_: -1.0, perplexity=5, method=method)
        with pytest.raises(ValueError, match="distance is negative"):
            model.fit(X)
    for algorithm in ("auto", "brute", "ball_tree"):
        model = neighbors.NearestNeighbors(metric="haversine", algorithm=algorithm)
        with pytest.raises(ValueError, match="dense samples"):
            model.fit(sparse.csr_array(np.abs(X)))
    for kind in (linear_model.RidgeCV, linear_model.RidgeClassifierCV):
        with pytest.raises(TypeError, match="must be numbers"):
            kind(alphas="1").fit(X, X[:, 0] > 0)


def test_every_dip_is_steep_at_a_share_of_nothing(rng):
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(30, 2)).round(1)
        found = sklearn.cluster.OPTICS(min_samples=3).fit(X)
        plot = {
            name: getattr(found, f"{name}_")
            for name in ("reachability", "predecessor", "ordering")
        }
        ours = cluster.cluster_optics_xi(**plot, min_samples=3, xi=0)
        theirs = sklearn.cluster.cluster_optics_xi(**plot, min_samples=3, xi=0)
        np.testing.assert_array_equal(ours[0], theirs[0])
        assert ours[1].tolist() == theirs[1].tolist()


def test_limits_and_kinds_of_numbers_are_kept(rng):
    X = rng.normal(size=(60, 6))
    moments = np.cov(X.T)
    for limit in (1, 2, 5):
        found = covariance.graphical_lasso(
            moments, 0.05, max_iter=limit, return_n_iter=True, tol=1e-3
        )
        assert found[-1] <= limit
    single = X.astype(np.float32)
    assert manifold.SpectralEmbedding(affinity="rbf").fit_transform(single).dtype == (
        np.float32
    )
