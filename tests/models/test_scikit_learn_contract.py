"""Every estimator passes scikit-learn's own battery, and none of it is skipped."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import CROSS_DECOMPOSITION, check_estimator

from infimum import models
from infimum.losses import EpsilonInsensitive
from infimum.models.ensembles import AdaBoostClassifier, VotingClassifier
from infimum.models.linear import (
    ElasticNet,
    LassoLars,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    Ridge,
    RiskMinimizer,
    TweedieRegressor,
)
from infimum.models.neural import Dense
from tests.models.needed_settings import CLASSIFIERS, NEEDED, reads_tables

FAMILIES = [
    importlib.import_module(f"infimum.models.{family.name}")
    for family in pkgutil.iter_modules(models.__path__)
    if family.ispkg
]
#: Weights are compared with repetition to seven digits: models that choose among many
#: inexact ones need exact ones for that, and few of them to be quick.
PRECISE = NEEDED | {
    "ComparisonForestClassifier": {"n_estimators": 5},
    "ComparisonForestRegressor": {"n_estimators": 5},
    "DictionaryLearning": {"transform_algorithm": "lasso_lars", "max_iter": 20},
    "ElasticNetCV": {"alphas": 8, "tol": 1e-14},
    "ExtraTreesClassifier": {"n_estimators": 10},
    "ExtraTreesRegressor": {"n_estimators": 10},
    "GaussianProcessRegressor": {"optimizer": None},
    "GradientBoostingClassifier": {"n_estimators": 10},
    "GradientBoostingRegressor": {"n_estimators": 10},
    "GroupLassoClassifier": {"tol": 1e-13},
    "HistGradientBoostingClassifier": {"max_iter": 10},
    "HistGradientBoostingRegressor": {"max_iter": 10},
    "BernoulliRBM": {"n_components": 3, "n_iter": 3},
    "KernelPerceptron": {"max_iter": 20},
    "LassoCV": {"alphas": 8, "tol": 1e-14},
    "LogisticRegressionCV": {"Cs": 3, "cv": 3, "tol": 1e-7},
    "MultiTaskElasticNetCV": {"alphas": 5},
    "MultiTaskLassoCV": {"alphas": 5},
    "MLPClassifier": {"max_iter": 150},
    "MLPRegressor": {"max_iter": 150},
    "MulticlassSVC": {"tol": 1e-12},
    "NetworkClassifier": {"layers": (Dense(20, "relu"),), "learning_rate_init": 0.01},
    "NetworkRegressor": {"layers": (Dense(20, "relu"),), "learning_rate_init": 0.01},
    "QuantileForestRegressor": {"n_estimators": 10},
    "RandomForestClassifier": {"n_estimators": 10},
    "RandomForestRegressor": {"n_estimators": 10},
    "SNE": {"perplexity": 3, "max_iter": 60},
    "TSNE": {"perplexity": 3, "max_iter": 60},
}
#: A learner on a stream depends on the order of its rows, and repeating a row moves
#: the others; its weights equal repetition in the limit, which tests/models/online
#: states. Nothing else may fail.
ORDERLY = {
    "KernelPerceptron", "Perceptron", "SGDClassifier", "SGDOneClassSVM", "SGDRegressor"
}  # fmt: skip
#: Whoever draws rows at random draws others when rows are repeated: weights equal
#: repetition in the chance of being drawn, which tests/models/ensembles states.
ORDERLY |= {"AdaBoostRegressor", "BaggingClassifier", "BaggingRegressor"}
ORDERLY |= {"RandomForestClassifier", "RandomForestRegressor", "RANSACRegressor"}
OF_ORDER = {
    f"check_sample_weight_equivalence_on_{kind}_data": "the order of rows matters"
    for kind in ("dense", "sparse")
}
#: Scikit-learn excuses its own classes that read -1 as no label by their names.
UNLABELLED = {"check_classifiers_classes": "-1 is no label"}
EXCUSED = dict.fromkeys(ORDERLY, OF_ORDER) | {"GraphLabelClassifier": UNLABELLED}
#: Scores that are drawn anew for each set of rows.
EXCUSED["BernoulliRBM"] = {
    f"check_methods_{kind}_invariance": "the entry that is scored is drawn"
    for kind in ("sample_order", "subset")
}
EVERY_ESTIMATOR = [
    getattr(family, name)(**PRECISE.get(name, {}))
    for family in FAMILIES
    for name in family.__all__
    if inspect.isclass(getattr(family, name))
    and issubclass(getattr(family, name), BaseEstimator)
    and reads_tables(getattr(family, name))
]
OTHER_SETTINGS = [
    AdaBoostClassifier(algorithm="real"),
    AdaBoostClassifier(LogisticRegression(tol=1e-9), n_estimators=3),
    ElasticNet(positive=True),
    LassoLars(alpha=0.01, positive=True),
    LinearSVC(loss="hinge"),
    LinearSVC(penalty="l1"),
    LinearSVR(loss="squared_epsilon_insensitive"),
    LogisticRegression(l1_ratio=1.0, C=2.0, tol=1e-5),
    Ridge(positive=True),
    RiskMinimizer("logistic", "elastic_net", strength=0.01),
    RiskMinimizer("softmax", strength=0.01),
    TweedieRegressor(power=1.5),
    TweedieRegressor(power=3.0),
    RiskMinimizer(EpsilonInsensitive(0.01), "lasso", strength=0.001),
    VotingClassifier(CLASSIFIERS, voting="soft"),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::scipy.linalg.LinAlgWarning")
@pytest.mark.filterwarnings("ignore:.* has one sample only")
@pytest.mark.parametrize("estimator", EVERY_ESTIMATOR + OTHER_SETTINGS, ids=repr)
def test_scikit_learn_contract(estimator):
    excused = EXCUSED.get(type(estimator).__name__, {})
    results = check_estimator(estimator, on_skip=None, expected_failed_checks=excused)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    failed = {name for name, status in statuses.items() if status == "xfail"}
    assert set(statuses.values()) <= {"passed", "skipped", "xfail"}
    assert failed == set(excused)
    allowed = {"check_array_api_input"}
    if not hasattr(estimator, "decision_function"):  # of which that check would read
        allowed |= {"check_classifiers_multilabel_output_format_decision_function"}
    if not hasattr(estimator, "predict_proba"):
        allowed |= {"check_classifiers_multilabel_output_format_predict_proba"}
    if type(estimator).__name__ in CROSS_DECOMPOSITION:  # skipped by their names
        allowed |= {"check_regressor_data_not_an_array"}
    assert skipped <= allowed
    assert len(results) >= 40  # a green run that ran nothing is not green
