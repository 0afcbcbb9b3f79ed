"""Our numbers beside the numbers of other fairness packages in use today."""
