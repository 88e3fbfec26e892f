"""How machine code is made and kept, and its small tools: bits, planes, scratch, prefetch."""
