"""O'Neil and Burtscher (2015): random-restart hill climbing and a ladder of 2-opt kernels."""
