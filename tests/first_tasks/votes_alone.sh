fuzzytruth crowd votes.csv -o crowd.html
