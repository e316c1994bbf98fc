/* Partition of the plane into windows, on a device: the cells of a rotated grid, balanced so that all cells hold the
 * same number of cities (within one). Cities sorted by one coordinate form strips; the cities of a strip sorted by the
 * other coordinate form its windows. All sizes follow from n, strips and across, so no offsets are stored:
 *
 *   strip k      the ranks cut(n, strips, k) .. cut(n, strips, k + 1) - 1
 *   window j     of a strip, which is cut into `across` windows likewise
 */
#include "tours/window_parts.h"

/* Return a scaled coordinate as an integer key, clamped to 0 .. 2^bits - 1: outliers and, through rounding, the corners
 * of the bounding box may lie outside. */
INLINE uint32 key_of(float64 value, int32 bits) {
    uint32 most = (uint32)0xffffffff >> (32 - bits);
    return value <= 0 ? 0 : value >= (float64)most ? most : (uint32)value;
}

/* Compute each city's position along a Moore curve through 2^16 by 2^16 cells, whose ends meet: windows never lose a
   long edge between them. It is four Hilbert curves, up the left half of the square and down the right one. */
KERNEL(cut_curve_keys, int32 n, GLOBAL const float64 *x, GLOBAL const float64 *y, float64 least_x, float64 least_y,
       float64 scale_x, float64 scale_y, GLOBAL uint32 *keys) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) {
        uint32 across = key_of((x[i] - least_x) * scale_x, 16), along = key_of((y[i] - least_y) * scale_y, 16);
        uint32 east = across >> 15, north = along >> 15, key = east ? 3 - north : north;
        uint32 u = east ? 32767 - (along & 32767) : along & 32767;
        uint32 v = east ? across & 32767 : 32767 - (across & 32767);
        for (uint32 side = (uint32)1 << 14; side > 0; side >>= 1) {
            uint32 right = (u & side) != 0, up = (v & side) != 0;
            key = key << 2 | ((3 * right) ^ up);
            if (!up) {
                uint32 old = right ? 32767 - u : u;
                u = right ? 32767 - v : v, v = old;
            }
        }
        keys[i] = key;
    }
}

/* Renumber the cities: new index i is city order[i]. */
KERNEL(cut_renumber, int32 n, GLOBAL const int32 *order, GLOBAL const float64 *x, GLOBAL const float64 *y,
       GLOBAL float64 *new_x, GLOBAL float64 *new_y) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) {
        int32 c = order[i];
        new_x[i] = x[c], new_y[i] = y[c];
    }
}

/* Compute the sort keys for strips: one coordinate after rotation. */
KERNEL(cut_strip_keys, int32 n, GLOBAL const float64 *x, GLOBAL const float64 *y, float64 cosine, float64 sine,
       float64 least, float64 scale, GLOBAL uint32 *keys) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES)
        keys[i] = key_of((x[i] * cosine - y[i] * sine - least) * scale, 32);
}

/* Compute the sort keys within strips: the strip number in the high bits, the other rotated coordinate in the low
 * `bits`. `ranked` lists the cities by the keys of cut_strip_keys. */
KERNEL(cut_cell_keys, int32 n, int32 strips, GLOBAL const float64 *x, GLOBAL const float64 *y, float64 cosine,
       float64 sine, float64 least, float64 scale, int32 bits, GLOBAL const int32 *ranked, GLOBAL uint32 *keys) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) {
        int32 c = ranked[i];
        uint32 along = key_of((x[c] * sine + y[c] * cosine - least) * scale, bits);
        keys[c] = ((uint32)part_of(n, strips, i) << bits) | along;
    }
}

/* Compute the window of each city; `ranked` lists the cities by the keys of cut_cell_keys. */
KERNEL(cut_labels, int32 n, int32 strips, int32 across, GLOBAL const int32 *ranked, GLOBAL uint32 *label) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) {
        int32 strip = part_of(n, strips, i), first = cut(n, strips, strip), many = cut(n, strips, strip + 1) - first;
        label[ranked[i]] = (uint32)(strip * across + part_of(many, across, i - first));
    }
}

/* List the windows of the cities in tour order. */
KERNEL(cut_along, int32 n, GLOBAL const int32 *tour, GLOBAL const uint32 *label, GLOBAL uint32 *along) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) along[i] = label[tour[i]];
}

/* Compute the position of each city in the tour. */
KERNEL(cut_places, int32 n, GLOBAL const int32 *tour, GLOBAL int32 *place) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) place[tour[i]] = i;
}

/* Of each of `count` fixed edges, flag the city that is the later one in the tour; held comes in as zero. */
KERNEL(cut_held, int32 count, GLOBAL const int32 *edges, int32 n, GLOBAL const int32 *place, GLOBAL narrow *held) {
    for (int32 i = GROUP * LANES + LANE; i < count; i += GROUPS * LANES) {
        int32 a = edges[2 * i], b = edges[2 * i + 1], next = place[a] + 1;
        held[place[b] == (next == n ? 0 : next) ? b : a] = 1;
    }
}

/* Translate the tour back to the original cities: index i is city order[i]. */
KERNEL(cut_named, int32 n, GLOBAL const int32 *order, GLOBAL const int32 *tour, GLOBAL int32 *named) {
    for (int32 i = GROUP * LANES + LANE; i < n; i += GROUPS * LANES) named[i] = order[tour[i]];
}
