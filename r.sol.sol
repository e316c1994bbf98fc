Route #1: 6 2
Route #2: 3 5 1 4
Cost 160.8444529841222
