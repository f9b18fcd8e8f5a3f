"""Code that runs inside the measured interpreter, next to the program.

These modules are loaded by path: they use the standard library alone, import nothing of ours by
package name, and run on any CPython from 3.12.
"""
