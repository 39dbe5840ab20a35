"""Mutation testing of the packages that compute: would the tests notice a wrong line?"""
