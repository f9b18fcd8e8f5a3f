"""Which programs make sound cases?"""

__version__ = "0.1.0"
