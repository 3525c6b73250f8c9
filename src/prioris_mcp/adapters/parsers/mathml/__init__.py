"""MathML to TeX."""
