"""The kernel texts (``*.c``), the preludes that turn them into three languages, and the native library."""
