"""Answer ports in memory, for tests and for where nothing else can be."""
