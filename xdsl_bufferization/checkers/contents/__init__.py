"""The contents checker: does every op read what the tensor program specifies?"""
