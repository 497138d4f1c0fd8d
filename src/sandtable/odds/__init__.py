"""Exact odds that need more than one game's preview: whole chains and battles, and odds put into words.

What one action would start is each game's own `odds.py` (the browser asks for it through `Match.preview`). Here are the
probabilities that reach further, over later dice and stated policies, made from the games' own modifiers and tables.
"""
