"""7.4 Cards: the deck, and one entry per card with its moments, prerequisite, choices and effect."""
