"""C++ programs, read with libclang: loops, variables and their types, uses that rule out."""
