"""One module per section of the report; each arranges numbers that other modules estimate."""
