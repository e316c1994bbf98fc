/* Cells of the plane or of space by repeated bisection. Native only. */

#define MEDIAN_ABOVE 40 /* ranges with more nodes are split at the median of three values */

INLINE int32 precedes(GLOBAL const float32 *values, GLOBAL const int32 *nodes, int32 i, float32 value, int32 node) {
    return values[i] < value || (values[i] == value && nodes[i] < node);
}

INLINE void exchange(GLOBAL float32 *values, GLOBAL int32 *nodes, int32 i, int32 j) {
    float32 value = values[i];
    int32 node = nodes[i];
    values[i] = values[j], nodes[i] = nodes[j];
    values[j] = value, nodes[j] = node;
}

/* Reorder `count` nodes so that the `cut` with the smallest values come first; ties by number (Hoare's selection). */
INLINE void select_nodes(GLOBAL float32 *values, GLOBAL int32 *nodes, int32 count, int32 cut) {
    int32 low = 0, high = count - 1;
    while (low < high) {
        int32 middle = low + (high - low) / 2;
        if (high - low > MEDIAN_ABOVE) {
            if (precedes(values, nodes, middle, values[low], nodes[low])) exchange(values, nodes, low, middle);
            if (precedes(values, nodes, high, values[low], nodes[low])) exchange(values, nodes, low, high);
            if (precedes(values, nodes, high, values[middle], nodes[middle])) exchange(values, nodes, middle, high);
        }
        float32 value = values[middle];
        int32 node = nodes[middle], i = low, j = high;
        while (i <= j) {
            while (precedes(values, nodes, i, value, node)) i++;
            while (values[j] > value || (values[j] == value && nodes[j] > node)) j--;
            if (i <= j) exchange(values, nodes, i++, j--);
        }
        if (cut <= j) high = j;
        else if (cut >= i) low = i;
        else return;
    }
}

/* Bisect range GROUP of `nodes`, from firsts[GROUP] on, across the axis of its largest extent: the cuts[GROUP] nodes
 * with the smallest coordinates come first. at: one row of n coordinates per axis. Ranges with a cut of 0 are left as
 * they are. values: workspace of n numbers. */
KERNEL(cells_halve, int64 n, GLOBAL const float32 *at, int32 axes, GLOBAL const int64 *firsts, GLOBAL const int64 *cuts,
       GLOBAL float32 *values, GLOBAL int32 *nodes) {
    int32 count = (int32)(firsts[GROUP + 1] - firsts[GROUP]), axis = 0;
    if (cuts[GROUP] == 0) return;
    values += firsts[GROUP], nodes += firsts[GROUP];
    float32 widest = -1;
    for (int32 a = 0; a < axes; a++) {
        float32 least = at[a * n + nodes[0]], most = least;
        for (int32 i = 1; i < count; i++) {
            float32 value = at[a * n + nodes[i]];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        if (most - least > widest) widest = most - least, axis = a;
    }
    for (int32 i = 0; i < count; i++) values[i] = at[axis * n + nodes[i]];
    select_nodes(values, nodes, count, (int32)cuts[GROUP]);
}
