"""Write a checkpoint into a program, one module per language."""
