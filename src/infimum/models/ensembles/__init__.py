"""Ensembles: many models that answer together."""

from infimum.models.ensembles.boosting.ada_boost_classifier import AdaBoostClassifier
from infimum.models.ensembles.boosting.ada_boost_regressor import AdaBoostRegressor
from infimum.models.ensembles.boosting.boosted_trees import BoostedTrees
from infimum.models.ensembles.boosting.gradient_boosting_classifier import (
    GradientBoostingClassifier,
)
from infimum.models.ensembles.boosting.gradient_boosting_regressor import (
    GradientBoostingRegressor,
)
from infimum.models.ensembles.boosting.hist_gradient_boosting_classifier import (
    HistGradientBoostingClassifier,
)
from infimum.models.ensembles.boosting.hist_gradient_boosting_regressor import (
    HistGradientBoostingRegressor,
)
from infimum.models.ensembles.committees.bagging_classifier import BaggingClassifier
from infimum.models.ensembles.committees.bagging_regressor import BaggingRegressor
from infimum.models.ensembles.committees.stacking_classifier import StackingClassifier
from infimum.models.ensembles.committees.stacking_regressor import StackingRegressor
from infimum.models.ensembles.committees.voting_classifier import VotingClassifier
from infimum.models.ensembles.committees.voting_regressor import VotingRegressor
from infimum.models.ensembles.forests.comparison_forest_classifier import (
    ComparisonForestClassifier,
)
from infimum.models.ensembles.forests.comparison_forest_regressor import (
    ComparisonForestRegressor,
)
from infimum.models.ensembles.forests.extra_trees_classifier import ExtraTreesClassifier
from infimum.models.ensembles.forests.extra_trees_regressor import ExtraTreesRegressor
from infimum.models.ensembles.forests.quantile_forest_regressor import (
    QuantileForestRegressor,
)
from infimum.models.ensembles.forests.random_forest_classifier import (
    RandomForestClassifier,
)
from infimum.models.ensembles.forests.random_forest_regressor import (
    RandomForestRegressor,
)
from infimum.models.ensembles.forests.random_trees_embedding import RandomTreesEmbedding

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
