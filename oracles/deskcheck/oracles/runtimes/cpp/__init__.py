"""C++ programs: built, run, counted and watched under the sandbox."""
