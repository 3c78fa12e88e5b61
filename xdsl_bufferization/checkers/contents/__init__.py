"""The checker of contents: does every op read what the tensor program says?"""
