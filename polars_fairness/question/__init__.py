"""The arguments of a call, checked against the schema of the frame."""
