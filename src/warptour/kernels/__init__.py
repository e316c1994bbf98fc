"""The kernel sources (``*.c``), their preludes for plain C, CUDA and OpenCL, and the native library."""
