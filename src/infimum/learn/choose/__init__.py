"""After the race: which model is taken by what rule, and fitted on all rows."""
