"""The files of SageMaker Clarify: its configuration of a bias analysis, and its `analysis.json`."""
