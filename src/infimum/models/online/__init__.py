"""Online learners: models that meet rows one by one, with bounds on what they pay."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.models.online.ada_grad import AdaGrad
    from infimum.models.online.budget_perceptron import BudgetPerceptron
    from infimum.models.online.follow_the_regularized_leader import (
        FollowTheRegularizedLeader,
    )
    from infimum.models.online.halving import Halving
    from infimum.models.online.hedge import Hedge
    from infimum.models.online.mirrors import (
        EntropyMirror,
        EuclideanMirror,
        MirrorMap,
        PNormMirror,
    )
    from infimum.models.online.multiclass_perceptron import MulticlassPerceptron
    from infimum.models.online.online_mirror_descent import OnlineMirrorDescent
    from infimum.models.online.passive_aggressive_classifier import (
        PassiveAggressiveClassifier,
    )
    from infimum.models.online.passive_aggressive_regressor import (
        PassiveAggressiveRegressor,
    )
    from infimum.models.online.perceptron import Perceptron
    from infimum.models.online.predict_then_learn import StreamScore, predict_then_learn
    from infimum.models.online.sgd_classifier import SGDClassifier
    from infimum.models.online.sgd_one_class_svm import SGDOneClassSVM
    from infimum.models.online.sgd_regressor import SGDRegressor
    from infimum.models.online.weighted_majority import WeightedMajority
    from infimum.models.online.winnow import Winnow


__all__ = [
    "AdaGrad",
    "BudgetPerceptron",
    "EntropyMirror",
    "EuclideanMirror",
    "FollowTheRegularizedLeader",
    "Halving",
    "Hedge",
    "MirrorMap",
    "MulticlassPerceptron",
    "OnlineMirrorDescent",
    "PNormMirror",
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
    "Perceptron",
    "SGDClassifier",
    "SGDOneClassSVM",
    "SGDRegressor",
    "StreamScore",
    "WeightedMajority",
    "Winnow",
    "predict_then_learn",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
