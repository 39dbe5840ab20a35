"""Taxonomies: rooted trees and acyclic graphs of categories."""
