"""The network simplex routine of NetworkX: one program, and a graph by seed for each candidate."""
