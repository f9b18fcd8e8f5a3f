"""What runs beside us: the warden process and the protections it puts around a program.

Modules in here use the standard library and each other, by relative import only. The warden is
started with this folder as a top-level package, so that nothing else of Deskcheck is loaded in
the process that every program is forked from.
"""
