"""Exact odds, as far as games share them.

Each game computes the odds of its own battles in its `odds/` folder, with the functions that resolve them. Here is what
they have in common: walking through every fall of the dice, sums over dice, and the words for the results. `whole` and
`shown` are what applications call; the Game answers.
"""
