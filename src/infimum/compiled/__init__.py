"""Machine code. The only package that imports numba; nothing here knows a class.

Loops take contiguous arrays, numbers, and formulas compiled by `callbacks`. Never a
jitclass, a closure or an ``@njit`` function as an argument: numba cannot reuse those
from its disk cache, so every process would compile again (decisions/0001).
"""

# First, since numba asks where to keep a loop when it meets it.
import infimum.compiled.disk_cache  # noqa: F401
from infimum.compiled.alignments import sum_alignments
from infimum.compiled.attraction import attract_plane, attract_space, sum_log_affinities
from infimum.compiled.bounded_columns import (
    correlate_columns,
    find_beyond,
    join_columns,
    subtract_columns,
)
from infimum.compiled.callbacks import compile_ease, compile_formula, evaluate
from infimum.compiled.centre_bounds import find_doubtful, find_doubtful_sparse
from infimum.compiled.centre_sums import move_rows, sum_by_label
from infimum.compiled.charges_in_full import add_up_field
from infimum.compiled.charges_in_tree import grow_cells, sum_cells, weigh_cells
from infimum.compiled.charges_on_grid import box_around, gather_field, spread_charges
from infimum.compiled.chi_squared import chi_squared_distances
from infimum.compiled.chosen_rows import add_chosen, dot_chosen
from infimum.compiled.class_shares import settle_shares
from infimum.compiled.column_ranges import add_ranges
from infimum.compiled.condensing import condense_tree
from infimum.compiled.coordinate_descent import sweep_gram
from infimum.compiled.cut_enumeration import enumerate_cuts
from infimum.compiled.dense_products import dot_rows, sum_rows
from infimum.compiled.dual_coordinate_ascent import ascend_dense, ascend_sparse
from infimum.compiled.edit_distance import edit_distance
from infimum.compiled.exponentials import exponentiate_into
from infimum.compiled.feature_tree import insert_rows
from infimum.compiled.five_vertices import count_edge_patterns
from infimum.compiled.full_mixture_pass import MIXTURE_TILE, full_mixture_pass
from infimum.compiled.fused_pass import judge_rows
from infimum.compiled.kd_tree import (
    bound_nodes,
    nearest_in_tree,
    split_nodes,
    within_in_tree,
)
from infimum.compiled.kernel_blocks import (
    add_bounded_rows,
    add_kept_rows,
    gather_square,
)
from infimum.compiled.linkage_constrained import constrained_merges
from infimum.compiled.linkage_inversions import closest_merges
from infimum.compiled.linkage_rounds import chain_merges, fold_rows, scan_rows
from infimum.compiled.linkage_vectors import (
    measure_rows,
    span_matrix,
    span_points,
    ward_nearest,
)
from infimum.compiled.mismatches import count_mismatches
from infimum.compiled.mixture_pass import mixture_pass
from infimum.compiled.momentum_steps import step_with_gains
from infimum.compiled.multiclass_perceptron import contest_dense, contest_sparse
from infimum.compiled.narrow_products import dot_several
from infimum.compiled.navigable_graph import choose_links, link_both, walk_to_nearest
from infimum.compiled.near_lists import ask_near, join_leaf, sort_lists
from infimum.compiled.near_tiles import (
    all_joined,
    count_near_in_tile,
    join_near_in_tile,
    least_label_in_tile,
)
from infimum.compiled.near_unions import (
    least_near_label,
    mark_dense,
    unite_near,
    unite_pairs,
)
from infimum.compiled.nearest import keep_smallest, measure_candidates
from infimum.compiled.nearest_pools import pool_smallest, shrink_pools
from infimum.compiled.online_gradient import learn_dense, learn_sparse
from infimum.compiled.online_proximal import yield_dense, yield_sparse
from infimum.compiled.online_row import LOSS_CODES, meet_row, meet_thin
from infimum.compiled.own_centre import measure_own
from infimum.compiled.partition_enumeration import enumerate_partitions
from infimum.compiled.pegasos import pegasos_dense, pegasos_sparse
from infimum.compiled.perplexities import calibrate_rows
from infimum.compiled.pooled_violators import pool_violators
from infimum.compiled.reach_ordering import order_reaches
from infimum.compiled.reach_spanning import span_reaches
from infimum.compiled.row_descent import sweep_rows
from infimum.compiled.seeding import collect_nearer, finish_squares, gather_by_name
from infimum.compiled.sequential_minimal import descend_pairs
from infimum.compiled.shortest_paths import LANES, spread_from
from infimum.compiled.six_centres import SIX
from infimum.compiled.sparse_blocks import multiply_lines
from infimum.compiled.sparse_clusters import settle_sparse, sum_sparse
from infimum.compiled.sparse_cross import cross_columns
from infimum.compiled.sparse_products import dot_lines, square_lines, sum_lines
from infimum.compiled.sparse_rows import dot_postings
from infimum.compiled.strangers import join_strangers, mark_nodes, seek_strangers
from infimum.compiled.stress_steps import pull_points
from infimum.compiled.subsequences import match_subsequences
from infimum.compiled.suffix_automaton import match_substrings
from infimum.compiled.symmetric_rows import add_transpose
from infimum.compiled.taut_string import pull_taut
from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.compiled.tree_grow import grow_tree
from infimum.compiled.tree_grow_plain import grow_plain_tree
from infimum.compiled.tree_of_merges import name_nodes, raise_heights
from infimum.compiled.tree_stump_classes import cut_classes
from infimum.compiled.tree_stump_sides import mark_sides
from infimum.compiled.tree_stump_signs import cut_signs
from infimum.compiled.tree_stump_sums import sum_stumps
from infimum.compiled.tree_values import number_nodes, quantile_nodes, sum_nodes
from infimum.compiled.tree_walk import find_leaves, sum_leaves
from infimum.compiled.two_nearest import round_rows, settle_nearest
from infimum.compiled.variance_reduced import saga_dense, saga_sparse
from infimum.compiled.window_means import climb_windows
from infimum.compiled.window_moments import gather_moments
from infimum.compiled.window_sums import sum_windows, weigh_nodes

__all__ = [
    "LANES",
    "LOSS_CODES",
    "MIXTURE_TILE",
    "SIX",
    "add_bounded_rows",
    "add_chosen",
    "add_kept_rows",
    "add_ranges",
    "add_transpose",
    "add_up_field",
    "all_joined",
    "ascend_dense",
    "ascend_sparse",
    "ask_near",
    "attract_plane",
    "attract_space",
    "bound_nodes",
    "box_around",
    "calibrate_rows",
    "chain_merges",
    "chi_squared_distances",
    "choose_links",
    "climb_windows",
    "closest_merges",
    "collect_nearer",
    "compile_ease",
    "compile_formula",
    "condense_tree",
    "constrained_merges",
    "contest_dense",
    "contest_sparse",
    "correlate_columns",
    "count_edge_patterns",
    "count_mismatches",
    "count_near_in_tile",
    "cross_columns",
    "cut_classes",
    "cut_signs",
    "descend_pairs",
    "dot_chosen",
    "dot_lines",
    "dot_postings",
    "dot_rows",
    "dot_several",
    "edit_distance",
    "enumerate_cuts",
    "enumerate_partitions",
    "evaluate",
    "exponentiate_into",
    "find_beyond",
    "find_doubtful",
    "find_doubtful_sparse",
    "find_leaves",
    "finish_squares",
    "fold_rows",
    "full_mixture_pass",
    "gather_by_name",
    "gather_field",
    "gather_moments",
    "gather_square",
    "grow_cells",
    "grow_plain_tree",
    "grow_tree",
    "in_parts",
    "insert_rows",
    "join_columns",
    "join_leaf",
    "join_near_in_tile",
    "join_strangers",
    "judge_rows",
    "keep_smallest",
    "learn_dense",
    "learn_sparse",
    "least_label_in_tile",
    "least_near_label",
    "link_both",
    "mark_dense",
    "mark_nodes",
    "mark_sides",
    "match_subsequences",
    "match_substrings",
    "measure_candidates",
    "measure_own",
    "measure_rows",
    "meet_row",
    "meet_thin",
    "mixture_pass",
    "move_rows",
    "multiply_lines",
    "name_nodes",
    "nearest_in_tree",
    "number_nodes",
    "one_blas_thread",
    "order_reaches",
    "pegasos_dense",
    "pegasos_sparse",
    "pool_smallest",
    "pool_violators",
    "pull_points",
    "pull_taut",
    "quantile_nodes",
    "raise_heights",
    "round_rows",
    "saga_dense",
    "saga_sparse",
    "scan_rows",
    "seek_strangers",
    "settle_nearest",
    "settle_shares",
    "settle_sparse",
    "shrink_pools",
    "sort_lists",
    "span_matrix",
    "span_points",
    "span_reaches",
    "split_nodes",
    "spread_charges",
    "spread_from",
    "square_lines",
    "step_with_gains",
    "subtract_columns",
    "sum_alignments",
    "sum_by_label",
    "sum_cells",
    "sum_leaves",
    "sum_lines",
    "sum_log_affinities",
    "sum_nodes",
    "sum_rows",
    "sum_sparse",
    "sum_stumps",
    "sum_windows",
    "sweep_gram",
    "sweep_rows",
    "unite_near",
    "unite_pairs",
    "walk_to_nearest",
    "ward_nearest",
    "weigh_cells",
    "weigh_nodes",
    "within_in_tree",
    "yield_dense",
    "yield_sparse",
]
