"""Reach every source from one place, at its own pace, among its own hosts."""
