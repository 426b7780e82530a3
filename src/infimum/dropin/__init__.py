"""Scikit-learn's module names with our classes behind them, and a patch that swaps.

Three ways, from the most to the least explicit::

    from infimum.dropin.linear_model import LogisticRegression

    with infimum.dropin.patch():
        from sklearn.linear_model import LogisticRegression

    $ python -m infimum.dropin script.py

Modules and names that are not here are scikit-learn's own:
``infimum.dropin.preprocessing`` is ``sklearn.preprocessing``, and
``infimum.dropin.set_config`` is ``sklearn.set_config``.
"""

from infimum.dropin._others import install, other_name
from infimum.dropin.replacement import patch, patched, unpatch

__all__ = ["patch", "patched", "unpatch"]

__getattr__ = other_name

install()
