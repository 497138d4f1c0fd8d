"""World War II in Europe: both scenarios and every optional rule, for six major powers in two alliances."""
