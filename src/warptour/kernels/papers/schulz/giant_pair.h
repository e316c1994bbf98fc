/* Template of segments that carry two things, FIRST and SECOND, at once. */
typedef struct {
    NAMED(segment_, FIRST) first;
    NAMED(segment_, SECOND) second;
} segment_pair;

INLINE segment_pair no_pair(void) {
    segment_pair none = {NAMED(no_, FIRST)(), NAMED(no_, SECOND)()};
    return none;
}
INLINE segment_pair joined_pair(segment_pair one, segment_pair other) {
    segment_pair pair = {NAMED(joined_, FIRST)(one.first, other.first), NAMED(joined_, SECOND)(one.second, other.second)};
    return pair;
}
INLINE segment_pair read_pair(const Hierarchy *h, int32 options, int64 e) {
    segment_pair found = {NAMED(read_, FIRST)(h, options, e), NAMED(read_, SECOND)(h, options, e)};
    return found;
}

#define CARRIED pair
