"""Tools that build committed data; nothing here is needed to play."""
