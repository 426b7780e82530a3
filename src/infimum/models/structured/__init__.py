"""Structures: models whose answers are labels that depend on each other.

- `StructuredSVM`: the largest margin, with a proof that is rebuilt from the data.
- `StructuredPerceptron`: averaged, without one.
- Structures: `Chain`, `Tree`, `Graph`, `Grid`, `Assignment`, `Multilabel`, `Ontology`.
"""

from infimum.models.structured.structured_perceptron import StructuredPerceptron
from infimum.models.structured.structured_svm import StructuredSVM
from infimum.models.structured.structures import (
    Assignment,
    Chain,
    Graph,
    Grid,
    Multilabel,
    Ontology,
    Structure,
    Tree,
)

__all__ = [
    "Assignment",
    "Chain",
    "Graph",
    "Grid",
    "Multilabel",
    "Ontology",
    "Structure",
    "StructuredPerceptron",
    "StructuredSVM",
    "Tree",
]
