"""Rules that mend the library's pages, each in a module of its own."""
