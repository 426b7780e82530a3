"""The adversary: hostile problems for every proof, and a judge that trusts nobody.

``python -m benchmarks.adversary --problems 5000`` fits estimators to problems made to
break them, and looks for a point whose risk is below what a certificate calls the
least. The judge has its own formulas, adds up in extended precision, and finds its
points with Clarabel and with Newton's method in long doubles.
"""

__all__: list[str] = []
