"""What scikit-learn's users catch, they catch here."""

import pytest

from infimum.dropin.cluster import AgglomerativeClustering
from infimum.errors import IncompatibleError


def test_parameters_that_do_not_go_together_are_a_value_error():
    with pytest.raises(ValueError, match="ward"):
        AgglomerativeClustering(metric="manhattan").fit([[0.0], [1.0], [5.0]])
    assert issubclass(IncompatibleError, TypeError)
