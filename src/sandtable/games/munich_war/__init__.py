"""Munich War 1938: all scenarios and optional rules. A module of `rules` is named after its chapter of the rulebook."""
