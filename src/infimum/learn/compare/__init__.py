"""The race: who takes part, on which rows, and what each has shown."""
