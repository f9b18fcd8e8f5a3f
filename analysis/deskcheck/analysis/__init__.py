"""What do the answers show?"""
