"""Which programs and inputs are there?"""
