/* Balanced partition of a sequence: part sizes differ by at most one. */
#ifndef WARPTOUR_WINDOW_PARTS
#define WARPTOUR_WINDOW_PARTS

/* Return the index at which part k begins when `count` items are cut into `parts`. */
INLINE int32 cut(int32 count, int32 parts, int32 k) { return (int32)(((int64)count * k + parts - 1) / parts); }

/* Return the part that holds item i: the last part that begins at or before i. */
INLINE int32 part_of(int32 count, int32 parts, int32 i) { return (int32)((int64)i * parts / count); }

#endif
