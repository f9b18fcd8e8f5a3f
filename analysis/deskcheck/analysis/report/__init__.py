"""A report as a folder: pages for people, tables and numbers for programs, all self-contained."""
