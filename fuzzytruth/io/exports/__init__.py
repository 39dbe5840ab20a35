"""Exports of annotation tools, as flat records: one a subject, task and label."""
