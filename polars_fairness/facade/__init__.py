"""What users hold: the methods of a frame and of a bound question, above all answers."""
