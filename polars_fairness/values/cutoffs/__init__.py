"""Cut-offs of groups: what thresholds on a score can achieve, from the counts at each score."""
