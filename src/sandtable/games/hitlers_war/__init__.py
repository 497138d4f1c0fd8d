"""Hitler's War: all four scenarios and every optional rule, for two and three players."""
