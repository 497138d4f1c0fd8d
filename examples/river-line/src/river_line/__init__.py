"""River Line: a small game for Sandtable."""
