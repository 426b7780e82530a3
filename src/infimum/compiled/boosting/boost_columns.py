"""Names for the columns of the arrays in which boosted trees grow.

A tree is two tables with a row a node: whole numbers and real ones. Sums of slopes and
curvatures are whole numbers of grains, so that adding is exact in any order and a
child's sums are its parent's less its sibling's.
"""

#: Whole numbers of a node. Those of the left child are of the best split known.
FEATURE, BIN, LEFT, RIGHT, MISSING_LEFT, DEPTH, COUNT, SLOT = range(8)
SLOPE, BEND, LEFT_COUNT, LEFT_SLOPE, LEFT_BEND, CATEGORICAL = range(8, 14)
#: The how manieth the feature of the split was among those asked.
ASKED = 14
INTEGERS = 15
#: Real numbers of a node: what its best split gains, and the bounds of its value.
GAIN, LOW, HIGH = range(3)
REALS = 3
#: What the grower keeps count of, before the list of free histograms and the stack.
NODES, LEAVES, FREE, WAITING, FILL = range(5)
TALLIES = 5
#: Limits of growth (whole numbers) and rules (real numbers).
MAX_LEAVES, MAX_DEPTH, MIN_ROWS, MAX_FEATURES, SEED, STRIDE, SUPPORT = range(7)
MIN_SPLIT, EXACT = 7, 8
STRENGTH, MIN_BEND, SLOPE_GRAIN, BEND_GRAIN, MIN_GAIN = range(5)
#: What is known of a feature.
BINS, IS_CATEGORICAL, MONOTONE = range(3)
#: Planes of a histogram.
COUNTS, BENDS, SLOPES = range(3)
#: Rows whose packed sums fit in one word, and the places of their parts in it.
BLOCK = 8192
COUNT_BITS, BEND_BITS = 14, 24
TOP_SLOPE, TOP_BEND = 4095, 2047
#: Bits of a curvature in a short word, below the slope.
SHORT_BITS = 11
