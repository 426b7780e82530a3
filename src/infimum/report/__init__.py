"""Report: results in, one self-contained HTML file out."""

from infimum.report.page import render, write_report

__all__ = ["render", "write_report"]
