"""What hangs on single subjects: influence on scores and verdicts, and models of reliability."""
