"""One module per language: run, measure and observe a program under the sandbox."""
