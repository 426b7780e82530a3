"""Features that approximate kernels: contracts, errors, and agreement with peers."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import kernel_approximation as peers
from sklearn.utils.estimator_checks import check_estimator

import infimum
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.features import Nystroem, PolynomialCountSketch, RBFSampler
from infimum.kernels import Gaussian, Laplacian, Linear, Polynomial, Spectrum

TRANSFORMERS = [
    Nystroem(),
    Nystroem(landmarks="leverage"),
    Nystroem(Gaussian(2.0), n_components=5),
    Nystroem("poly", degree=2),
    RBFSampler(),
    RBFSampler(gamma="scale"),
    PolynomialCountSketch(),
    PolynomialCountSketch(degree=3, coef0=1.0),
]


def raised(x, z, power):
    return float(x @ z) ** power


@pytest.fixture(name="X")
def rows(rng):
    return rng.normal(size=(60, 4))


@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=repr)
def test_scikit_learn_contract(transformer):
    results = check_estimator(transformer, on_skip=None)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    assert set(statuses.values()) <= {"passed", "skipped"}
    assert skipped <= {"check_array_api_input"}
    assert len(results) >= 35


@pytest.mark.parametrize(
    "parameters",
    [
        {"kernel": "rbf", "gamma": 0.3},
        {"kernel": "rbf"},
        {"kernel": "poly", "degree": 2, "coef0": 0.5},
        {"kernel": "laplacian", "gamma": 0.2},
        {"kernel": "linear"},
        {
            "kernel": lambda x, z, power: float(x @ z) ** power,
            "kernel_params": {"power": 2},
        },
    ],
    ids=["rbf", "rbf of its own width", "poly", "laplacian", "linear", "callable"],
)
def test_nystroem_gives_the_inner_products_of_the_peer(parameters, X):
    shared = {"n_components": 12, "random_state": 0}
    ours = Nystroem(**parameters, **shared).fit(X)
    peer = peers.Nystroem(**parameters, **shared).fit(X)
    assert np.array_equal(ours.component_indices_, peer.component_indices_)
    A, B = ours.transform(X), peer.transform(X)
    assert pytest.approx(B @ B.T, abs=1e-6) == A @ A.T
    assert list(ours.get_feature_names_out())[:2] == ["nystroem0", "nystroem1"]


def test_waves_and_sketches_are_those_of_the_peer(X):
    shared = {"n_components": 30, "random_state": 3}
    ours = RBFSampler(gamma=0.4, **shared).fit_transform(X)
    assert ours == pytest.approx(peers.RBFSampler(gamma=0.4, **shared).fit_transform(X))
    for more in ({"degree": 2}, {"degree": 3, "coef0": 0.7, "gamma": 0.5}):
        ours = PolynomialCountSketch(**more, **shared).fit_transform(X)
        peer = peers.PolynomialCountSketch(**more, **shared).fit_transform(X)
        assert ours == pytest.approx(peer)


@pytest.mark.parametrize("landmarks", ["uniform", "leverage", "k-means"])
def test_more_landmarks_leave_less_error(landmarks, rng):
    X = rng.normal(size=(120, 3))
    errors = [
        Nystroem(Gaussian(2.0), n_components=size, landmarks=landmarks, random_state=0)
        .fit(X)
        .error(X)
        for size in (3, 12, 60)
    ]
    relative = [error.relative for error in errors]
    assert relative[0] > relative[1] > relative[2]
    assert relative[2] < 5e-3
    assert errors[0].mean <= errors[0].largest


def test_the_reported_error_is_the_distance_between_gram_matrices(X):
    for transformer, kernel in [
        (Nystroem(Laplacian(3.0), n_components=8, random_state=0), Laplacian(3.0)),
        (RBFSampler(gamma=0.1, random_state=0), Gaussian.from_gamma(0.1)),
        (PolynomialCountSketch(coef0=1, random_state=0), Polynomial(2, 1.0)),
    ]:
        Z, K = transformer.fit_transform(X), kernel(X)
        apart = K - Z @ Z.T
        error = transformer.error(X)
        assert error.largest == pytest.approx(np.abs(apart).max())
        assert error.mean == pytest.approx(np.sqrt((apart**2).mean()))
        expected = np.linalg.norm(apart) / np.linalg.norm(K)
        assert error.relative == pytest.approx(expected)


def test_nystroem_never_overestimates_and_is_exact_on_its_landmarks(X):
    kernel = Gaussian(1.5)
    nystroem = Nystroem(kernel, n_components=15, random_state=1).fit(X)
    Z = nystroem.transform(X)
    rest = kernel(X) - Z @ Z.T
    assert np.linalg.eigvalsh(rest).min() > -1e-8
    chosen = nystroem.component_indices_
    assert np.abs(rest[np.ix_(chosen, chosen)]).max() < 1e-8
    low_rank = Nystroem(Linear(), n_components=10, random_state=0).fit(X)
    assert low_rank.error(X).largest < 1e-8  # ten landmarks span four dimensions


def test_leverage_finds_the_samples_that_the_others_do_not_explain(rng):
    crowd = rng.normal(size=(300, 2)) * 0.01
    loners = np.array([[9.0, 0.0], [0.0, 9.0], [-9.0, 0.0]])
    X = np.concatenate([crowd, loners])
    chosen = [
        Nystroem(Gaussian(), n_components=60, landmarks="leverage", random_state=seed)
        .fit(X)
        .component_indices_
        for seed in range(5)
    ]
    found = sum(int((indices >= 300).sum()) for indices in chosen)
    assert found >= 10  # of 15; a uniform draw expects 3


def test_random_waves_are_right_in_the_mean_and_close_in_like_a_root(X):
    exact = Gaussian.from_gamma(0.2)(X)

    def mean_error(size, seeds):
        draws = (
            RBFSampler(gamma=0.2, n_components=size, random_state=seed).fit_transform(X)
            for seed in seeds
        )
        return [Z @ Z.T - exact for Z in draws]

    few, many = mean_error(50, range(20)), mean_error(800, range(20))
    assert np.abs(np.mean(many, axis=0)).max() < 0.05
    ratio = np.sqrt(np.mean(np.square(few)) / np.mean(np.square(many)))
    assert 2.8 < ratio < 5.6  # √16 = 4


def test_strings_and_sparse_rows_get_features_too(X):
    texts = ["banana", "ananas", "abba", "", "bab", "nab"]
    Z = Nystroem(Spectrum(2), n_components=6, random_state=0).fit_transform(texts)
    assert pytest.approx(Spectrum(2)(texts), abs=1e-9) == Z @ Z.T
    thin = np.where(X > 0.3, X, 0.0)
    for transformer in TRANSFORMERS:
        transformer.set_params(random_state=0)
        dense = transformer.fit(thin).transform(thin)
        same = transformer.fit(sparse.csr_array(thin)).transform(sparse.csr_array(thin))
        assert same @ same.T == pytest.approx(dense @ dense.T, abs=1e-6)


def test_landmarks_by_means_are_the_centres_of_the_clusters(rng):
    centres = 4.0 * rng.normal(size=(12, 3))
    X = np.repeat(centres, 25, axis=0) + 0.1 * rng.normal(size=(300, 3))
    settings = {"n_components": 12, "random_state": 0}
    means = Nystroem(Gaussian(2.0), landmarks="k-means", **settings).fit(X)
    assert means.component_indices_ is None
    nearest = np.linalg.norm(X[:, None] - means.components_, axis=2).argmin(axis=1)
    for k, landmark in enumerate(means.components_):
        assert landmark == pytest.approx(X[nearest == k].mean(axis=0), abs=1e-6)
    some = Nystroem(Gaussian(2.0), **settings).fit(X)
    K = Gaussian(2.0)(X)
    errors = [
        np.linalg.norm(K - features @ features.T)
        for features in (means.transform(X), some.transform(X))
    ]
    assert errors[0] < 0.5 * errors[1]


@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=repr)
def test_single_precision_in_is_single_precision_out(transformer, X):
    transformer.set_params(random_state=0)
    single = transformer.fit_transform(X.astype(np.float32))
    double = transformer.fit_transform(X)
    assert single.dtype == np.float32
    assert single @ single.T == pytest.approx(double @ double.T, abs=0.01 * 40)


def test_a_gram_matrix_may_be_given_instead(X):
    K = Gaussian()(X)
    given = Nystroem("precomputed", n_components=9, random_state=0).fit(K)
    own = Nystroem(Gaussian(), n_components=9, random_state=0).fit(X)
    A, B = given.transform(K), own.transform(X)
    assert pytest.approx(B @ B.T, abs=1e-9) == A @ A.T
    with pytest.raises(IncompatibleError, match="precomputed"):
        given.error(K)
    with pytest.raises(IncompatibleError, match="precomputed"):
        Nystroem("precomputed", landmarks="leverage").fit(K)


def test_transformers_say_what_is_wrong(X):
    for transformer, owner in [
        (Nystroem("cubic"), r"Nystroem\.kernel"),
        (Nystroem(n_components=0), r"Nystroem\.n_components"),
        (Nystroem(landmarks="best"), r"Nystroem\.landmarks"),
        (RBFSampler(gamma=-1.0), r"RBFSampler\.gamma"),
        (PolynomialCountSketch(degree=0), r"PolynomialCountSketch\.degree"),
    ]:
        with pytest.raises(InvalidParameterError, match=owner):
            transformer.fit(X)
    with pytest.raises(IncompatibleError, match="dense vectors"):
        Nystroem(Spectrum(2), landmarks="k-means").fit(["ab", "ba"])


@pytest.mark.parametrize(
    "transformer",
    [
        Nystroem(random_state=0),
        RBFSampler(random_state=0),
        PolynomialCountSketch(random_state=0),
    ],
    ids=repr,
)
def test_fitted_features_return_from_a_file(transformer, X, tmp_path):
    transformer.fit(X)
    infimum.save(transformer, tmp_path / "m.infimum")
    loaded = infimum.load(tmp_path / "m.infimum")
    assert np.array_equal(loaded.transform(X), transformer.transform(X))
