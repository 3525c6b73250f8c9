"""Hold notes and their anchors, how much they may hold, and notes as files."""
