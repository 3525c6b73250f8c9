"""How every source is reached: one way out, at its own pace, among its own hosts."""
