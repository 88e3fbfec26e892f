"""Running episodes, many at a time: the common basis of single and vector environments."""
