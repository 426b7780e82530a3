"""Report: results in, one self-contained HTML file out."""

from infimum.report.comparison import (
    comparison,
    read_runs,
    render_comparison,
    write_comparison,
)
from infimum.report.page import render, write_report
from infimum.report.ranking import ranking_words, render_ranking, write_ranking
from infimum.report.recommendation import (
    recommendation_words,
    render_recommendation,
    write_recommendation,
)

__all__ = [
    "comparison",
    "ranking_words",
    "read_runs",
    "recommendation_words",
    "render",
    "render_comparison",
    "render_ranking",
    "render_recommendation",
    "write_comparison",
    "write_ranking",
    "write_recommendation",
    "write_report",
]
