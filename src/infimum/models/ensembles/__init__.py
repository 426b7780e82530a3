"""Ensembles: many models that answer together."""

from infimum.models.ensembles.ada_boost_classifier import AdaBoostClassifier
from infimum.models.ensembles.ada_boost_regressor import AdaBoostRegressor
from infimum.models.ensembles.bagging_classifier import BaggingClassifier
from infimum.models.ensembles.bagging_regressor import BaggingRegressor
from infimum.models.ensembles.boosted_trees import BoostedTrees
from infimum.models.ensembles.comparison_forest_classifier import (
    ComparisonForestClassifier,
)
from infimum.models.ensembles.comparison_forest_regressor import (
    ComparisonForestRegressor,
)
from infimum.models.ensembles.extra_trees_classifier import ExtraTreesClassifier
from infimum.models.ensembles.extra_trees_regressor import ExtraTreesRegressor
from infimum.models.ensembles.gradient_boosting_classifier import (
    GradientBoostingClassifier,
)
from infimum.models.ensembles.gradient_boosting_regressor import (
    GradientBoostingRegressor,
)
from infimum.models.ensembles.hist_gradient_boosting_classifier import (
    HistGradientBoostingClassifier,
)
from infimum.models.ensembles.hist_gradient_boosting_regressor import (
    HistGradientBoostingRegressor,
)
from infimum.models.ensembles.quantile_forest_regressor import QuantileForestRegressor
from infimum.models.ensembles.random_forest_classifier import RandomForestClassifier
from infimum.models.ensembles.random_forest_regressor import RandomForestRegressor
from infimum.models.ensembles.random_trees_embedding import RandomTreesEmbedding
from infimum.models.ensembles.stacking_classifier import StackingClassifier
from infimum.models.ensembles.stacking_regressor import StackingRegressor
from infimum.models.ensembles.voting_classifier import VotingClassifier
from infimum.models.ensembles.voting_regressor import VotingRegressor

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostedTrees",
    "ComparisonForestClassifier",
    "ComparisonForestRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "QuantileForestRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomTreesEmbedding",
    "StackingClassifier",
    "StackingRegressor",
    "VotingClassifier",
    "VotingRegressor",
]
