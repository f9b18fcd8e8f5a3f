"""What does a model answer?"""
