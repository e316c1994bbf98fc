/* Things cut into parts that differ by one at most. */
#ifndef WARPTOUR_WINDOW_PARTS
#define WARPTOUR_WINDOW_PARTS

/* Where part k begins if `count` things are cut into `parts`. */
INLINE int32 cut(int32 count, int32 parts, int32 k) { return (int32)(((int64)count * k + parts - 1) / parts); }

/* Which part holds rank i: the last that begins at or before it. */
INLINE int32 part_of(int32 count, int32 parts, int32 i) { return (int32)((int64)i * parts / count); }

#endif
