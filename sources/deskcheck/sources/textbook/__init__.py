"""Thirty authored textbook algorithms over seven areas, each with a generator and a reference."""
