"""Support vector machines: classification, regression, and their ν forms."""
