"""Valid model files of every admitted class, small, in several settings."""

from __future__ import annotations

import inspect
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import feature_extraction, impute, pipeline, preprocessing
from sklearn.base import is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import VarianceThreshold
from sklearn.utils import get_tags

import infimum
from benchmarks.fuzz.other_data import OTHER_DATA
from benchmarks.fuzz.settings import NEEDED, SETTINGS
from infimum.models.density import KernelDensity
from infimum.models.kernel import KernelRidge
from infimum.models.linear import LogisticRegression, Ridge, RiskMinimizer
from infimum.models.ranking._ranker import Ranker
from infimum.persistence import allow_list

__all__ = ["make_specimens", "specimen_of"]

#: Rows, columns and classes of the tables that specimens are fitted to.
TABLES = [(14, 3, 2), (11, 2, 3)]
TEXTS = ["a cat sat", "the dog ran", "a dog sat", "cats and dogs", "the end"]
#: Each item beats each other one; pairs are rankings of two as well.
GAMES = [tuple(pair) for pair in ("ab", "ab", "bc", "bc", "ca", "ba", "cb", "ac")]
SMALL = {"n_estimators": 3, "max_iter": None, "n_init": 1}


def table(n: int, d: int, classes: int) -> tuple[Any, Any, Any]:
    """Return samples, positive numbers and labels."""
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, d))
    numbers = np.exp(0.3 * X[:, 0] + 0.2 * rng.standard_normal(n))
    names = np.array(["no", "yes", "perhaps"])
    order = np.argsort(np.argsort(X[:, 0] + 0.3 * rng.standard_normal(n)))
    return X, numbers, names[order * classes // n]


def make_specimens(folder: Path, only: str = "", *, few: bool = False) -> list[str]:
    """Save specimens with their queries into a folder; return what is missing.

    Parameters
    ----------
    folder : Path
    only : str, default=""
        Classes whose name, with its room, contains one of these, by commas.
    few : bool, default=False
        One specimen of each class.
    """
    missing: dict[str, str] = {}
    made: set[str] = set()
    for position, (model, X, y) in enumerate(_fitted(only, missing, few=few)):
        name = f"{position:04d}-{type(model).__name__}"
        try:
            infimum.save(model, folder / f"{name}.infimum")
        except infimum.errors.InfimumError as error:
            missing[type(model).__name__] = str(error)
            continue
        made.add(type(model).__name__)
        (folder / f"{name}.queries").write_bytes(pickle.dumps((X, y)))
    return [f"{name}: {why}" for name, why in missing.items() if name not in made]


def specimen_of(name: str) -> tuple[Any, Any, Any]:
    """Return one specimen of a class, at its defaults, with its queries."""
    (cls,) = (each for each in _estimators("") if each.__name__ == name)
    return _fit(cls, {}, TABLES[0])


def _fitted(
    only: str, missing: dict[str, str], *, few: bool
) -> Iterator[tuple[Any, Any, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cls in _estimators(only):
            for settings in [{}, *([] if few else SETTINGS.get(cls.__name__, []))]:
                for size in TABLES if not settings and not few else TABLES[:1]:
                    try:
                        yield _fit(cls, settings, size)
                    except Exception as error:
                        missing[cls.__name__] = f"{settings}: {error}"
        if not only:
            yield from _parts()
            yield from _foreign()


def _estimators(only: str) -> Iterator[Any]:
    for room in allow_list.MODEL_ROOMS:
        for cls in allow_list._classes_of(room).values():
            name = f"{room}.{cls.__name__}"
            wanted = any(part in name for part in only.split(","))
            if allow_list.shape_of(cls) == "object" and wanted:
                yield cls


def _fit(cls: Any, settings: dict[str, Any], size: Any) -> tuple[Any, Any, Any]:
    settings = {**NEEDED.get(cls.__name__, {}), **settings}
    if issubclass(cls, Ranker):
        return cls(**settings).fit(GAMES), GAMES, None
    if cls.__name__ in OTHER_DATA:
        given, named, queries = OTHER_DATA[cls.__name__]
        return cls(**settings).fit(*given, **named), *queries
    form = settings.pop("_table", "dense")
    small = {
        name: 3 if name.startswith("n_est") else value
        for name, value in SMALL.items()
        if value and name in inspect.signature(cls).parameters
    }
    if "GradientBoosting" in cls.__name__ and "Hist" in cls.__name__:
        small["max_iter"] = 3
    model = cls(**{**small, **settings})
    X, numbers, labels = table(*size)
    labelled = is_classifier(model) or cls.__name__ == "NeighborhoodComponentsAnalysis"
    y = labels if labelled else numbers
    if cls.__name__.startswith("MultiTask") or form == "several":
        y = np.column_stack((y, y[::-1]))
    if get_tags(model).input_tags.positive_only:
        X = np.round(np.abs(X))
    X = _formed(X, form)
    y = y[: len(X)]
    if ".sequence." in cls.__module__:
        parts = [np.round(np.abs(X[:, :1])), np.round(np.abs(X[:5, 1:2]))]
        return model.fit(parts), parts, None
    if form == "several" and labelled:
        y = (y == y[0]).astype(int)
    return model.fit(X, y), X, y


def _formed(X: Any, form: str) -> Any:
    forms: dict[str, Callable[[], Any]] = {
        "sparse": lambda: sparse.csr_matrix(np.where(np.abs(X) > 0.5, X, 0.0)),
        "float32": lambda: X.astype(np.float32),
        "square": lambda: np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2)),
        "gram": lambda: X @ X.T,
        "wide": lambda: X.T,
        "one": lambda: X[:, :1],
        "levels": lambda: np.column_stack([np.round(np.abs(X[:, 0]) * 2), X[:, 1:]]),
        "texts": lambda: (TEXTS * len(X))[: len(X)],
        "baskets": lambda: [text.split() for text in (TEXTS * len(X))[: len(X)]],
        "images": lambda: np.abs(np.sin(X[:, :2, None])) * np.ones((1, 1, 2)),
    }
    return forms[form]() if form in forms else X


def _parts() -> Iterator[tuple[Any, Any, Any]]:
    """Yield models that hold parts: kernels, windows, losses, penalties, solvers."""
    X, numbers, _ = table(*TABLES[0])
    carriers: dict[str, Callable[[Any], Any]] = {
        "infimum.kernels": lambda part: KernelRidge(kernel=part),
        "infimum.kernels.windows": lambda part: KernelDensity(kernel=part),
        "infimum.losses": lambda part: RiskMinimizer(loss=part),
        "infimum.penalties": lambda part: RiskMinimizer(penalty=part),
        "infimum.solvers": lambda part: RiskMinimizer(solver=part),
    }
    for room, carrier in carriers.items():
        for part in allow_list._classes_of(room).values():
            try:
                model = carrier(part())
            except (TypeError, ValueError):
                continue
            # A part that does not suit these rows is carried by an unfitted model.
            with suppress(Exception):
                model.fit(np.abs(X), numbers)
            yield model, np.abs(X), numbers


def _foreign() -> Iterator[tuple[Any, Any, Any]]:
    """Yield scikit-learn's preprocessing, alone and in a pipeline."""
    X, numbers, labels = table(*TABLES[0])
    counts = np.round(np.abs(X))
    words = counts[:, :2].astype(int).astype(str).astype(object)
    gaps, few = np.where(counts == 1, np.nan, X), sparse.csr_matrix(X)
    for name in allow_list.SCIKIT_LEARN["sklearn.preprocessing"]:
        model = getattr(preprocessing, name)()
        if name in {"LabelBinarizer", "LabelEncoder"}:
            yield model.fit(labels), labels, None
            continue
        rows = words if "Encoder" in name else X
        yield model.fit(rows, numbers), rows, numbers
    yield from (
        (model.fit(rows), rows, None)
        for model, rows in [
            (
                preprocessing.OneHotEncoder(handle_unknown="ignore", min_frequency=2),
                words,
            ),
            (preprocessing.PolynomialFeatures(3, interaction_only=True), few),
            (impute.SimpleImputer(add_indicator=True), gaps),
            (impute.MissingIndicator(), gaps),
            (VarianceThreshold(), X),
            (feature_extraction.text.CountVectorizer(), TEXTS),
            (feature_extraction.text.TfidfVectorizer(), TEXTS),
            (feature_extraction.text.TfidfTransformer(), counts),
        ]
    )
    scaler, imputer = preprocessing.StandardScaler(), impute.SimpleImputer()
    columns = ColumnTransformer([("a", scaler, [0]), ("b", "passthrough", [1, 2])])
    yield pipeline.make_pipeline(columns, Ridge()).fit(X, numbers), X, numbers
    union = pipeline.FeatureUnion([("a", scaler), ("b", imputer)])
    yield pipeline.make_pipeline(union, LogisticRegression()).fit(X, labels), X, labels
