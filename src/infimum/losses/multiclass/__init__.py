"""Losses of one score a class: softmax, multiclass hinges, ontologies, preferences."""
