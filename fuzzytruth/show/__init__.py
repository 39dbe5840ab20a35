"""What results show: sentences, tables and pages, as text, HTML, LaTeX and Markdown."""
