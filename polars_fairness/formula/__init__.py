"""What a metric is written in: counts, rates and sides, the levels they range over, the metric."""
