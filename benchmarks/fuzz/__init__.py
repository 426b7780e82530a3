"""Forged model files, and what becomes of whoever loads them."""
