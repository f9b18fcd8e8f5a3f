"""Of what kind is a wrong answer? Proofs from the truth, from other answers, and from the trace."""
