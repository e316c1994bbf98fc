/* Hierarchies of segments of a giant tour, after Irnich (2008) and Schulz (2011).
 *
 * A segment leads from one position to another, and segments join at the position that they share. Level 0 has all
 * positions, cut into parts of equal size; level l + 1 has the positions between the parts of level l, and the last.
 * A level holds the segments between any two positions of a part, forwards and reversed; the top level is one part.
 */
#ifndef WARPTOUR_GIANT_HIERARCHY
#define WARPTOUR_GIANT_HIERARCHY

#include "papers/schulz/giant.h"

/* Options of a version (papers/schulz/engine/version.py): definitions of a GPU build; elsewhere bits of an argument that all
 * functions call `options`. */
#ifndef LEVELS
#define LEVELS (options & 3)
#define SHIFTS (options >> 2 & 1)
#define SOA (options >> 3 & 1)
#define INDEX_MODE (options >> 4 & 7)
#define LAZY (options >> 7 & 1)
#define REGISTERS (options >> 8 & 1)
#define RECOMBINATION (options >> 9 & 1)
#define CUT (options >> 10 & 1)
#define COMPUTED (options >> 11 & 1)
#define FILTER (options >> 12 & 3)
#define NEWTON (options >> 14 & 1)
#define SHARED 0
#endif

#define POSITION_AWARE 1
#define JAGGED 2
#define MERGED 3
#define DENSE 4

#define MOST_LEVELS 3

/* A level: its last position, positions from one end of a part to the other, their binary logarithm, its first entry,
 * entries from a segment to its reverse, and its first row in `starts`. */
typedef struct {
    int64 last, size, shift, base, mirror, rows;
} Level;

#if SHARED
#define LEVEL_SPACE LOCAL
#else
#define LEVEL_SPACE GLOBAL
#endif

typedef struct {
    Giant giant;
    GLOBAL const int32 *tour;
    LEVEL_SPACE const Level *levels;
    GLOBAL const int64 *starts; /* of each row of a jagged array: its first entry */
    int64 entries;
    GLOBAL float64 *costs, *extensions;
    GLOBAL int32 *counts;
    int32 resource;
    int32 last; /* position of the tour */
    GLOBAL float64 *beside; /* extensions of a second resource */
    int32 beside_resource;
} Hierarchy;

#define HIERARCHY_PARAMETERS                                                                                   \
    GIANT_PARAMETERS, int32 options, int32 last, GLOBAL const int32 *tour, GLOBAL const Level *plan,           \
        GLOBAL const int64 *starts, int64 entries, GLOBAL float64 *costs, GLOBAL float64 *extensions,          \
        GLOBAL int32 *counts, int32 resource, GLOBAL float64 *beside, int32 beside_resource

#if SHARED
#define HIERARCHY_STRUCT(h)                                                               \
    GIANT_STRUCT(wt_giant);                                                               \
    LOCAL_ARRAY(Level, wt_levels, MOST_LEVELS);                                           \
    for (int32 l = LANE; l < MOST_LEVELS; l += LANES) wt_levels[l] = plan[l];             \
    SYNC_LANES();                                                                         \
    Hierarchy h = {wt_giant, tour, wt_levels, starts, entries, costs, extensions, counts, resource, last, beside, \
                   beside_resource}
#else
#define HIERARCHY_STRUCT(h) \
    GIANT_STRUCT(wt_giant); \
    Hierarchy h = {wt_giant, tour, plan, starts, entries, costs, extensions, counts, resource, last, beside, \
                   beside_resource}
#endif

/* for each k in [begin, end): one k a thread on a GPU, a range of them a core on a CPU. */
#if LANES == 1
#define EACH(k, begin, end)                                                                   \
    for (int64 k = (begin) + ((end) - (begin)) * GROUP / GROUPS,                              \
               wt_end = (begin) + ((end) - (begin)) * (GROUP + 1) / GROUPS;                   \
         k < wt_end; k++)
#else
#define EACH(k, begin, end) \
    for (int64 k = (begin) + (int64)GROUP * LANES + LANE; k < (end); k += (int64)GROUPS * LANES)
#endif

INLINE int32 place_at(const Hierarchy *h, int32 position) { return place_of(&h->giant, h->tour[position]); }

INLINE int32 part_of(const Hierarchy *h, int32 options, int32 l, int32 position) {
    return SHIFTS ? position >> (int32)h->levels[l].shift : position / (int32)h->levels[l].size;
}

/* Entry of the segment between positions i < j of level l, which lie in one part. */
INLINE int64 entry_of(const Hierarchy *h, int32 options, int32 l, int32 i, int32 j, int32 reversed) {
    LEVEL_SPACE const Level *level = &h->levels[l];
    if (INDEX_MODE == DENSE) return level->base + 2 * (i * level->size + (j - i - 1)) + reversed;
    if (INDEX_MODE == MERGED) return level->base + 2 * (h->starts[level->rows + i] + (j - i - 1)) + reversed;
    int64 base = level->base + (reversed ? level->mirror : 0);
    if (INDEX_MODE == JAGGED) return base + h->starts[level->rows + i] + (j - i - 1);
    /* position-aware: first all segments from the first position of a part, by their end; then those to the last one,
     * by their start; then those inside, part by part */
    int32 part = part_of(h, options, l, i), size = (int32)level->size, from = i - part * size;
    if (from == 0) return base + j - 1;
    if (j - i == size - from || j == level->last) return base + level->last + i;
    int64 inner = size - 1, row = inner * (from - 1) - (int64)(from - 1) * from / 2;
    return base + 2 * level->last + part * (inner * (inner - 1) / 2) + row + (j - i - 1);
}

#endif
