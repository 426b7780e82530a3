"""Maps that keep neighbours: t-SNE and SNE."""
