/* 3-opt scan in float64, summed in the order of the reference implementation: certifies 3-optimality. */
#define NUMBER float64
#define FAR 1e300
#define SIDE 32
#define WIDE 4
#define SCAN three_opt_exact_scan
#define CHOOSE three_opt_exact_choose
#define COLUMNS three_opt_exact_columns
#define FINISH three_opt_exact_finish
#include "papers/scans/three_opt.h"
