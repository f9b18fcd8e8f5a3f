"""What does this program really do, and are two answers the same?"""
