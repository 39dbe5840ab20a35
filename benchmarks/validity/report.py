def write_report(rows, path):
    pass
