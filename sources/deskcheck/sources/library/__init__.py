"""Routines of installed libraries as single runnable files, each with generated inputs."""
