"""SageMaker Clarify's configuration of a bias analysis, and its `analysis.json`."""
