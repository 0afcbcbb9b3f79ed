"""What a call was given, checked against the schema of the frame."""
