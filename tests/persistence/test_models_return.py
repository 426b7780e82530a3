"""Every estimator of infimum.models returns fitted, with its proof."""

import importlib
import pkgutil

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import get_tags

import infimum
from infimum import models
from infimum.losses import Huber
from infimum.models import linear
from infimum.penalties import ElasticNet
from infimum.persistence import inspect
from infimum.solvers import ProximalGradient
from tests.models.needed_settings import NEEDED, reads_tables

FAMILIES = [
    importlib.import_module(f"infimum.models.{family.name}")
    for family in pkgutil.iter_modules(models.__path__)
    if family.ispkg
]
ESTIMATORS = [
    cls
    for family in FAMILIES
    for cls in (getattr(family, name) for name in family.__all__)
    if isinstance(cls, type) and issubclass(cls, BaseEstimator)
    if hasattr(cls, "predict") or hasattr(cls, "transform")
    if reads_tables(cls)
]
rng = np.random.default_rng(2)
NUMBERS = rng.standard_normal((40, 3))
POSITIVE = np.exp(0.3 * NUMBERS[:, 0] + 0.2 * rng.standard_normal(40))
LABELS = np.where(NUMBERS[:, 0] + 0.3 * rng.standard_normal(40) > 0, "yes", "no")
TABLE = pd.DataFrame(
    {
        "income": np.where(rng.random(40) < 0.1, np.nan, NUMBERS[:, 0]),
        "rooms": NUMBERS[:, 1],
        "town": rng.choice(["Ayr", "Bath", "Deal"], 40),
    }
)


def carried(model, folder, **options):
    infimum.save(model, folder / "m.infimum", **options)
    return infimum.load(folder / "m.infimum")


def same_answers(one, other, data):
    methods = [name for name in ("predict", "transform") if hasattr(one, name)]
    assert methods
    answers = [
        (name, getattr(one, name)(data), getattr(other, name)(data)) for name in methods
    ]
    if is_classifier(one) and hasattr(one, "predict_proba"):
        answers += [
            ("predict_proba", one.predict_proba(data), other.predict_proba(data))
        ]
    for method, answer, expected in answers:
        assert answer.dtype == expected.dtype, method
        assert plain(answer).tolist() == plain(expected).tolist(), method


def plain(answer):
    return answer.toarray() if sparse.issparse(answer) else answer


# A proof must return as it is, closed or open; whether it closes is tested elsewhere.
@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_a_fitted_estimator_returns_with_coefficients_and_proof(cls, tmp_path):
    model = cls(**NEEDED.get(cls.__name__, {}))
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=0)
    names = is_classifier(model) or cls.__name__ == "NeighborhoodComponentsAnalysis"
    y = LABELS if names else POSITIVE
    if cls.__name__.startswith("MultiTask"):
        y = np.column_stack((y, NUMBERS[:, 0]))
    counting = get_tags(model).input_tags.positive_only
    X = np.round(np.abs(NUMBERS)) if counting else NUMBERS
    model.fit(X, y)
    loaded = carried(model, tmp_path)
    assert type(loaded) is cls
    assert vars(loaded).keys() == vars(model).keys()
    assert repr(loaded.get_params()) == repr(model.get_params())
    same_answers(loaded, model, X)
    if hasattr(model, "certificate_"):
        assert loaded.certificate_ == model.certificate_
    if hasattr(model, "history_"):
        assert loaded.history_ == model.history_
    if hasattr(model, "certify"):
        assert loaded.certify(X, y) == model.certify(X, y)


def preparation():
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    words = OneHotEncoder(handle_unknown="ignore")
    steps = [("numbers", numbers, ["income", "rooms"]), ("words", words, ["town"])]
    return ColumnTransformer(steps)


@pytest.mark.parametrize(
    "last, y",
    [
        (linear.LogisticRegression(), LABELS),
        (linear.LogisticRegression(), TABLE["town"]),
        (linear.Lasso(alpha=0.05), POSITIVE),
    ],
    ids=["two classes", "three classes", "numbers"],
)
def test_a_whole_pipeline_returns_and_predicts_bit_for_bit(last, y, tmp_path):
    model = make_pipeline(preparation(), last).fit(TABLE, y)
    loaded = carried(model, tmp_path, extra={"target": "y"})
    same_answers(loaded, model, TABLE)
    assert list(loaded.feature_names_in_) == list(TABLE.columns)
    assert loaded[-1].certificate_ == model[-1].certificate_
    summary = inspect(tmp_path / "m.infimum")
    assert summary.model == "sklearn.pipeline.Pipeline"
    assert summary.extra == {"target": "y"}


def test_an_estimator_made_of_parts_returns_with_its_parts(tmp_path):
    model = linear.RiskMinimizer(
        Huber(0.5), ElasticNet(0.01, 0.3), solver=ProximalGradient(tolerance=1e-5)
    )
    loaded = carried(model.fit(NUMBERS, POSITIVE), tmp_path)
    assert loaded.get_params() == model.get_params()
    same_answers(loaded, model, NUMBERS)


def test_names_of_columns_are_still_checked_after_loading(tmp_path):
    model = linear.Ridge().fit(TABLE[["rooms"]], POSITIVE)
    loaded = carried(model, tmp_path)
    assert list(loaded.feature_names_in_) == ["rooms"]
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.predict(TABLE[["rooms"]].rename(columns={"rooms": "halls"}))


def test_a_loaded_model_can_be_fitted_again(tmp_path):
    model = linear.Ridge(alpha=2.0).fit(NUMBERS, POSITIVE)
    again = carried(model, tmp_path).fit(NUMBERS, POSITIVE)
    assert again.coef_.tobytes() == model.coef_.tobytes()
