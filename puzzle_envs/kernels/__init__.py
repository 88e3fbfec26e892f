"""Compiling and caching machine code, and small tools: bits, planes, scratch, prefetch."""
