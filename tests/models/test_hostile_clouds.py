"""Embeddings, densities and mixtures on hostile tables: an answer or one sentence."""

import importlib
import inspect
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning, DataDimensionalityWarning

from infimum.models.clustering import BayesianGaussianMixture, GaussianMixture
from infimum.models.density import (
    ConditionalDensity,
    DensityDetector,
    HistogramDensity,
    KernelDensity,
)
from infimum.models.embedding import (
    MDS,
    PCA,
    SNE,
    TSNE,
    ClassicalMDS,
    GaussianRandomProjection,
    IncrementalPCA,
    Isomap,
    KernelPCA,
    LocallyLinearEmbedding,
    NeighborhoodComponentsAnalysis,
    SignRandomProjection,
    SparseRandomProjection,
    SpectralEmbedding,
    SubspaceRandomProjection,
    TruncatedSVD,
)
from tests.models.test_hostile_tables import DRAW, TABLES, TARGETS

SEED = {"random_state": 0}
SHORT = {"perplexity": 3, "max_iter": 20, "random_state": 0}
MODELS = [
    *(PCA(2, svd_solver=r, **SEED) for r in ("full", "covariance_eigh", "gram")),
    PCA(2, svd_solver="arpack", **SEED),
    PCA(0.9),
    PCA("mle"),
    PCA(whiten=True),
    IncrementalPCA(2),
    KernelPCA(2),
    KernelPCA(kernel="rbf"),
    KernelPCA(kernel="poly"),
    TruncatedSVD(2, **SEED),
    NeighborhoodComponentsAnalysis(),
    GaussianRandomProjection(2, **SEED),
    SignRandomProjection(2, **SEED),
    SparseRandomProjection(2, **SEED),
    SubspaceRandomProjection(1, **SEED),
    Isomap(),
    Isomap(n_neighbors=None, radius=1.0),
    Isomap(n_landmarks=5),
    *(
        LocallyLinearEmbedding(n_neighbors=6, method=method, **SEED)
        for method in ("standard", "hessian", "modified", "ltsa")
    ),
    *(
        SpectralEmbedding(affinity=rule, laplacian=kind, **SEED)
        for rule in ("nearest_neighbors", "rbf")
        for kind in ("random_walk", "symmetric", "unnormalized")
    ),
    MDS(),
    MDS(metric_mds=False),
    MDS(solver="gradient"),
    ClassicalMDS(),
    ClassicalMDS(None),
    SNE(**SHORT),
    *(TSNE(method=how, **SHORT) for how in ("fft", "barnes_hut", "exact")),
    *(
        KernelDensity(bandwidth=rule, n_neighbors=3)
        for rule in (
            1.0, "scott", "silverman", "normal_reference", "leave_one_out", "local"
        )
    ),
    *(KernelDensity(kernel=kind) for kind in ("tophat", "epanechnikov", "exponential")),
    KernelDensity(metric="manhattan", rtol=1e-3),
    DensityDetector(),
    HistogramDensity(),
    HistogramDensity(width=0.5),
    ConditionalDensity(),
    *(
        kind(n_components=2, covariance_type=shape, **SEED)
        for kind in (GaussianMixture, BayesianGaussianMixture)
        for shape in ("full", "tied", "diag", "spherical")
    ),
]  # fmt: skip
PARTS = np.repeat(100.0 * np.arange(4), 6)[:, None] * np.eye(3)[0] + 0.1 * DRAW
CLOUDS = {
    "in parts": PARTS,
    "copies": np.repeat(DRAW[:4], 6, axis=0),
    "two places": np.repeat(DRAW[:2], 12, axis=0),
    "all equal": np.full((24, 3), 2.5),
    "zeros": np.zeros((24, 3)),
    "constant columns": np.column_stack((DRAW[:, 0], np.ones(24), np.full(24, -7.0))),
    "on a line": np.outer(np.arange(24.0), [1.0, 2.0, 3.0]),
    "far away": DRAW + 1e9,
    "one far": np.vstack((DRAW[:-1], [[1e12, 0.0, 0.0]])),
    "one column": DRAW[:, :1],
    "one point": DRAW[:1],
    "two points": DRAW[:2],
    "three points": DRAW[:3],
    "more columns than rows": DRAW.T,
}


def name(model):
    plain = type(model)().get_params()
    told = {k: v for k, v in model.get_params().items() if isinstance(v, str | float)}
    others = [f"{k}={v}" for k, v in told.items() if v != plain[k]]
    return "-".join((type(model).__name__, *others))


every_model = pytest.mark.parametrize("model", MODELS, ids=name)


VERBS = ("transform", "predict", "predict_proba", "score_samples")


def answered_or_refused(model, X, y=None, verbs=VERBS):
    """Assert that there are numbers, or one sentence that refuses; say which."""
    model = clone(model)
    if isinstance(model, NeighborhoodComponentsAnalysis):
        y = y % 2  # labels of two classes
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataDimensionalityWarning)
        try:
            model.fit(X, y)
            for verb in verbs:
                if hasattr(model, verb):
                    _check_numbers(getattr(model, verb)(X), beyond=verb[0] == "s")
            if hasattr(model, "embedding_"):
                _check_numbers(model.embedding_)
        except (ValueError, TypeError) as refusal:
            told = str(refusal)
            assert "\n" not in told
            assert 10 < len(told) < 330
            return told
    return None


def _check_numbers(answer, *, beyond=False):
    values = answer.data if sparse.issparse(answer) else np.asarray(answer)
    if values.dtype.kind == "f":
        # A density may be 0, and its logarithm -inf.
        assert not np.isnan(values).any() if beyond else np.isfinite(values).all()


def test_no_model_is_left_out():
    rooms = [
        importlib.import_module(f"infimum.models.{room}")
        for room in ("embedding", "density")
    ]
    exported = {
        getattr(room, each)
        for room in rooms
        for each in room.__all__
        if inspect.isclass(getattr(room, each))
        and issubclass(getattr(room, each), BaseEstimator)
    }
    mixtures = {GaussianMixture, BayesianGaussianMixture}
    assert {type(model) for model in MODELS} == exported | mixtures


@every_model
def test_hostile_tables_end_in_an_answer_or_in_one_sentence(model):
    for X in TABLES.values():
        answered_or_refused(model, X, np.arange(float(X.shape[0])))


@every_model
def test_clouds_without_a_shape_end_in_an_answer_or_in_one_sentence(model):
    for X in CLOUDS.values():
        answered_or_refused(model, X, np.arange(float(len(X))))


@every_model
def test_points_in_parts_on_a_line_or_far_away_get_an_answer(model):
    for cloud in ("in parts", "on a line", "far away", "constant columns"):
        X = CLOUDS[cloud]
        # Axes without variance have places, but no density.
        verbs = VERBS[:3] if isinstance(model, PCA) else VERBS
        assert answered_or_refused(model, X, np.arange(float(len(X))), verbs) is None


def test_hostile_targets_of_a_conditional_density():
    for y in TARGETS.values():
        answered_or_refused(ConditionalDensity(), DRAW, y)
