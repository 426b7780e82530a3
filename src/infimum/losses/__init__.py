"""Losses ℓ(y, f), one file each. To add one: write the file, add two lines here."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.losses._loss import Loss, VectorLoss
    from infimum.losses.absolute import Absolute
    from infimum.losses.binomial import Binomial
    from infimum.losses.compare import compare
    from infimum.losses.epsilon_insensitive import EpsilonInsensitive
    from infimum.losses.exponential import Exponential
    from infimum.losses.gamma import Gamma
    from infimum.losses.heteroscedastic_gaussian import HeteroscedasticGaussian
    from infimum.losses.hinge import Hinge
    from infimum.losses.huber import Huber
    from infimum.losses.logistic import Logistic
    from infimum.losses.multiclass.additive_multiclass_hinge import (
        AdditiveMulticlassHinge,
    )
    from infimum.losses.multiclass.multiclass_hinge import MulticlassHinge
    from infimum.losses.multiclass.ontology_hinge import OntologyHinge
    from infimum.losses.multiclass.ontology_softmax import OntologySoftmax
    from infimum.losses.multiclass.preference_graph import PreferenceGraph
    from infimum.losses.multiclass.scaled_multiclass_hinge import ScaledMulticlassHinge
    from infimum.losses.multiclass.softmax import Softmax
    from infimum.losses.multilabel.additive_multilabel_hinge import (
        AdditiveMultilabelHinge,
    )
    from infimum.losses.multilabel.correlated_multilabel_hinge import (
        CorrelatedMultilabelHinge,
    )
    from infimum.losses.multilabel.multilabel_hinge import MultilabelHinge
    from infimum.losses.multivariate_squared import MultivariateSquared
    from infimum.losses.novelty import Novelty
    from infimum.losses.perceptron import Perceptron
    from infimum.losses.poisson import Poisson
    from infimum.losses.probit import Probit
    from infimum.losses.quantile import Quantile
    from infimum.losses.ramp import Ramp
    from infimum.losses.squared import Squared
    from infimum.losses.squared_epsilon_insensitive import SquaredEpsilonInsensitive
    from infimum.losses.squared_hinge import SquaredHinge
    from infimum.losses.tweedie import Tweedie
    from infimum.losses.whole_sample._sample_loss import SampleLoss
    from infimum.losses.whole_sample.contingency_score import ContingencyScore
    from infimum.losses.whole_sample.ordinal_pairs import OrdinalPairs
    from infimum.losses.whole_sample.preferences import Preferences
    from infimum.losses.whole_sample.ranking_gain import RankingGain
    from infimum.losses.whole_sample.roc_area import RocArea
    from infimum.losses.whole_sample.structured_hinge import StructuredHinge
    from infimum.losses.whole_sample.structured_logistic import StructuredLogistic


__all__ = [
    "Absolute",
    "AdditiveMulticlassHinge",
    "AdditiveMultilabelHinge",
    "Binomial",
    "ContingencyScore",
    "CorrelatedMultilabelHinge",
    "EpsilonInsensitive",
    "Exponential",
    "Gamma",
    "HeteroscedasticGaussian",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "MulticlassHinge",
    "MultilabelHinge",
    "MultivariateSquared",
    "Novelty",
    "OntologyHinge",
    "OntologySoftmax",
    "OrdinalPairs",
    "Perceptron",
    "Poisson",
    "PreferenceGraph",
    "Preferences",
    "Probit",
    "Quantile",
    "Ramp",
    "RankingGain",
    "RocArea",
    "SampleLoss",
    "ScaledMulticlassHinge",
    "Softmax",
    "Squared",
    "SquaredEpsilonInsensitive",
    "SquaredHinge",
    "StructuredHinge",
    "StructuredLogistic",
    "Tweedie",
    "VectorLoss",
    "compare",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
