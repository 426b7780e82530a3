"""Learning from few labels and many samples: graphs on which labels spread.

- `LabelPropagation`, `LabelSpreading`, `SelfTrainingClassifier`: scikit-learn's names,
  parameters and answers; also on given graphs, with weights, and with Gaussian weights
  to neighbours.
- `GraphLabelClassifier`, `GraphLabelRegressor`: the smoothest function on a graph,
  with labels exact, penalised or constrained, and a proved error at every vertex.
- `suggest_queries`: which vertices to label next.

`infimum.kernels.Deformed` lets `SVC`, `KernelRidge` and their relatives learn from
unlabelled samples too.
"""

from infimum.models.semi_supervised.graph_label_classifier import GraphLabelClassifier
from infimum.models.semi_supervised.graph_label_regressor import GraphLabelRegressor
from infimum.models.semi_supervised.label_propagation import LabelPropagation
from infimum.models.semi_supervised.label_spreading import LabelSpreading
from infimum.models.semi_supervised.queries import suggest_queries
from infimum.models.semi_supervised.self_training_classifier import (
    SelfTrainingClassifier,
)

__all__ = [
    "GraphLabelClassifier",
    "GraphLabelRegressor",
    "LabelPropagation",
    "LabelSpreading",
    "SelfTrainingClassifier",
    "suggest_queries",
]
