"""Scikit-learn's own packaged tests, run on our classes without a changed line."""

__all__: list[str] = []
