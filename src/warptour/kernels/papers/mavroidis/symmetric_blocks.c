// build: metrics
/* Rounds of symmetric 2-opt (symmetric.h) on a tour that is spread over blocks (Mavroidis 2011, section 6.3), with
 * results identical to symmetric.c.
 *
 * The (m - 1) / 2 elements of a round are divided into blocks of `size`. Element e decides about the segment between the
 * mirrored positions e and m - 1 - e, move q = e - 1 of symmetric.h; that of element 0 is the whole tour, which is no
 * move:
 *
 *     a-b ... c-d  ->  a-c ... b-d      a at position e - 1, b at e, c at m - 1 - e, d at m - e
 *
 * A block with the elements first .. last - 1 keeps two buffers: positions first - 1 .. last - 1 on the left and
 * m - last .. m - first on the right. The outermost city of each belongs to the block before, which stores it too. The
 * innermost block has the centre of the tour as well. A round has four parts, those of figure 11:
 *
 *     every element decides; its block combines the decisions by XOR from the outside in
 *     the blocks combine their parities by XOR in log2(blocks) steps: each tells the one 1, 2, 4, ... further on
 *     cities inside an odd number of accepted moves are swapped with their mirror images
 *     the tour shifts by one position: the first cities of each buffer are told to the block with the previous one
 *
 * Messages of the second part wrap around and carry a second bit, whether any move was accepted, so that all blocks
 * count idle rounds alike. Blocks share no memory but boxes in global memory, one for each thing that a block hears in a
 * round (section 6.3.2): the sender waits until the box is empty and fills it, the receiver waits until it is full and
 * empties it. A box is one word, 0 if it is empty, where the thesis has data and a flag.
 *
 * A group has the blocks GROUP, GROUP + GROUPS, ... It tells for all of them before it hears for any, so that one group
 * alone never waits. Several groups must run side by side; if they do not, a wait ends after `patience` polls, all
 * groups leave, and `stuck` says so.
 */
#include "papers/mavroidis/symmetric_span.h"

typedef struct {
    GLOBAL int64 *boxes;
    GLOBAL int32 *stuck;
    int32 channels, patience;
    int32 lost; /* a wait was given up */
} Post;

/* Wait until a box is full, or until it is empty, and return what is in it. */
INLINE int64 wait_for(Post *post, GLOBAL int64 *box, int32 full) {
    int64 word = ACQUIRE(box);
    for (int32 polls = 0; !post->lost && (word != 0) != full; polls++, word = ACQUIRE(box)) {
        if (polls < post->patience && (polls % 1024 || !LATEST(post->stuck))) continue;
        RAISE(post->stuck, 1);
        post->lost = 1;
    }
    return word;
}

INLINE void tell(Post *post, int32 block, int32 channel, int32 one, int32 other) {
    GLOBAL int64 *box = post->boxes + ((int64)block * post->channels + channel);
    wait_for(post, box, 0);
    RELEASE(box, ((int64)one << 32 | other) + 1);
}

INLINE int32 hear(Post *post, int32 block, int32 channel, int32 *other) {
    GLOBAL int64 *box = post->boxes + ((int64)block * post->channels + channel);
    int64 word = wait_for(post, box, 1);
    word -= word != 0; /* nothing came if the wait was given up */
    RELEASE(box, 0);
    *other = (int32)(word & 0x7fffffff);
    return (int32)(word >> 32);
}

/* Buffers of a group's blocks, each a ring of `places`; `low` is the place of a buffer's first position. */
typedef struct {
    Cities at;
    int32 places, low;
} Rings;

/* Blocks of a group: number `first` and every `stride`-th after it, `slots` in all. */
typedef struct {
    int32 first, stride, slots;
    int32 size, elements, blocks, steps; /* of the tour */
} Share;

typedef struct {
    int32 number, first, count; /* its own number, and its elements */
    int32 left, right;          /* where its buffers begin */
} Block;

INLINE Block block_of(const Share *s, const Rings *r, int32 slot) {
    Block b;
    b.number = s->first + slot * s->stride, b.first = b.number * s->size;
    b.count = s->elements - b.first < s->size ? s->elements - b.first : s->size;
    b.left = 2 * slot * r->places, b.right = b.left + r->places;
    return b;
}

INLINE int32 place(const Rings *r, int32 buffer, int32 i) {
    int32 k = r->low + i;
    return buffer + (k < r->places ? k : k - r->places);
}

/* Acceptance at one temperature, and the random numbers of a round. */
typedef struct {
    Span limit, better;
    real scale, kept;
    uint64 key, counter;
} Choice;

/* Decide about element j of a block: its four distances as in equation 1 of the thesis. */
INLINE int32 decide(const Points *p, const Rings *r, const Block *block, int32 j, const Choice *choice) {
    const int32 a = place(r, block->left, j), b = place(r, block->left, j + 1);
    const int32 c = place(r, block->right, block->count - 1 - j), d = place(r, block->right, block->count - j);
    const int32 e = block->first + j;
    if (e == 0) return 0;
#ifndef INTEGERS
    const real kept = choice->kept;
#endif
    const Cities *at = &r->at;
    Span rise = (apart(p, at, a, c) + apart(p, at, b, d)) - KEPT(edge_between(p, at, a, b) + edge_between(p, at, c, d));
    if (!(rise < choice->limit)) return 0;
    return rise < choice->better || rises((real)rise, choice->scale, choice->key, choice->counter + (uint64)(e - 1));
}

/* Combine the parities of all blocks. Each of the group has the parity of its own moves in bit 0 of `sum`, and in bit 1
 * whether it has any; then `outer` is the parity of all blocks further out, and bit 1 whether any block has any. */
INLINE void combine(Post *post, const Share *s, NEAR int32 *sum, NEAR int32 *outer) {
    for (int32 slot = 0; slot < s->slots; slot++) outer[slot] = sum[slot] & 1;
    for (int32 step = 0; step < s->steps; step++) {
        const int32 reach = 1 << step;
        for (int32 slot = 0, b = s->first; slot < s->slots; slot++, b += s->stride)
            tell(post, (b + reach) % s->blocks, step, sum[slot], 0);
        for (int32 slot = 0, b = s->first; slot < s->slots; slot++, b += s->stride) {
            int32 unused, heard = hear(post, b, step, &unused);
            sum[slot] = (sum[slot] ^ (b >= reach ? heard & 1 : 0)) | (heard & 2);
        }
    }
    for (int32 slot = 0; slot < s->slots; slot++) outer[slot] ^= sum[slot] & 1;
}

/* Shift the tour by one position: append to the buffers what comes after them. */
INLINE void append_cities(const Points *p, Post *post, const Share *s, const Rings *r) {
    const int32 from_after = s->steps, from_before = s->steps + 1, last = s->blocks - 1;
    for (int32 slot = 0; slot < s->slots; slot++) {
        Block b = block_of(s, r, slot);
        const int32 one = place(r, b.right, 0), other = place(r, b.right, 1);
        if (b.number > 0) tell(post, b.number - 1, from_after, r->at.city[place(r, b.left, 1)], 0);
        if (b.number < last) tell(post, b.number + 1, from_before, r->at.city[one], r->at.city[other]);
    }
    for (int32 slot = 0; slot < s->slots; slot++) {
        Block b = block_of(s, r, slot);
        int32 next;
        if (b.number > 0) { /* the outermost city, which may have been swapped, and one more */
            put_city(p, &r->at, place(r, b.right, b.count), hear(post, b.number, from_before, &next));
            put_city(p, &r->at, place(r, b.right, b.count + 1), next);
        } else { /* the first city of the tour becomes the last */
            copy_city(&r->at, place(r, b.right, b.count), place(r, b.left, 1));
        }
        if (b.number < last) put_city(p, &r->at, place(r, b.left, b.count + 1), hear(post, b.number, from_after, &next));
        else copy_city(&r->at, place(r, b.left, b.count + 2), place(r, b.right, 0)); /* the next centre */
    }
}

/* Parameters as in symmetric.c, for tour number t.
 *
 * size        elements of a block, at least 2; there are at least as many blocks as groups
 * accepted    tours x GROUPS: moves accepted by the blocks of each group
 * boxes       blocks x (log2(blocks) rounded up + 2), all 0
 * stuck       set if the groups did not run side by side; the tour is then useless
 * patience    polls of a box before a wait is given up
 */
KERNEL(symmetric_blocks, POINTS_PARAMETERS, int32 m, int32 t, int32 size, GLOBAL int32 *tour, GLOBAL int64 *state,
       GLOBAL int64 *accepted, GLOBAL const real *temperature, int32 levels, int64 level, real least, int32 rounds,
       uint64 seed, int32 first_tour, GLOBAL int64 *boxes, GLOBAL int32 *stuck, int32 patience, GLOBAL char *work,
       int64 bytes, SCRATCH_PARAMETER) {
    POINTS_STRUCT(p);
    (void)work, (void)bytes, (void)least;
    Share s;
    s.size = size, s.elements = (m - 1) / 2, s.blocks = s.elements > size ? (s.elements + size - 1) / size : 1;
    s.first = GROUP, s.stride = GROUPS, s.slots = (s.blocks - 1 - GROUP) / GROUPS + 1, s.steps = 0;
    while ((1 << s.steps) < s.blocks) s.steps++;
    Post post = {boxes, stuck, s.steps + 2, patience, 0};
    const int32 most = (s.blocks - 1) / GROUPS + 1; /* blocks of a group */
    Rings r;
    r.places = size + 2, r.low = 0;
    r.at.x = (NEAR Span *)NEAR_MEMORY, r.at.y = r.at.x + 2 * most * r.places;
    r.at.city = (NEAR int32 *)(r.at.y + 2 * most * r.places);
    NEAR int32 *sum = r.at.city + 2 * most * r.places, *outer = sum + most, *lost = outer + most;
    NEAR char *odd_to = (NEAR char *)(lost + 1); /* per element: parity of the moves of its block up to its own */

    GLOBAL int32 *mine = tour + (int64)t * m;
    int64 done = state[4 * t], idle = state[4 * t + 1], end = done, made = 0;
    int32 last_stage = 1, turn = 0;
    Choice choice;
    choice.key = random_key(seed, (uint64)(first_tour + t)), choice.kept = (real)1, choice.scale = (real)0;
    choice.limit = choice.better = BETTER;
#ifndef INTEGERS
    choice.kept -= error_share(&p);
#endif
    if (rounds <= 0 || idle >= m) return;

    for (int32 slot = 0; slot < s.slots; slot++) {
        Block b = block_of(&s, &r, slot);
        for (int32 i = LANE; i <= b.count + 1; i += LANES) {
            put_city(&p, &r.at, b.left + i, mine[(b.first + m - 1 + i) % m]);
            put_city(&p, &r.at, b.right + i, mine[(m - b.first - b.count + i) % m]);
        }
    }
    SYNC_LANES();

    for (int32 left = rounds; left > 0 && idle < m; left--) {
        if (done >= end) {
            int64 stage = done / level;
            real heat = stage < levels ? temperature[stage] : (real)0;
            last_stage = stage >= levels, end = last_stage ? (int64)1 << 62 : (stage + 1) * level;
            choice.limit = heat > 0 ? LIMIT(heat) : BETTER;
            choice.scale = heat > 0 ? (real)1.4426950408889634 / heat : (real)0;
        }
        choice.counter = (uint64)(done * s.elements);

        for (int32 slot = 0; slot < s.slots; slot++) {
            Block b = block_of(&s, &r, slot);
            const int32 share = (b.count + LANES - 1) / LANES, from = LANE * share;
            const int32 to = from + share < b.count ? from + share : b.count;
            NEAR char *odd = odd_to + slot * size;
            int32 before = 0, some = 0;
            for (int32 j = from; j < to; j++) {
                int32 yes = decide(&p, &r, &b, j, &choice);
                before ^= yes, some |= yes, made += yes;
                odd[j] = (char)before;
            }
            EARLIER_PARITY(before, some, turn);
            turn ^= 1;
            for (int32 j = from; j < to; j++) odd[j] ^= (char)before;
            SYNC_LANES();
            if (LANE == 0) sum[slot] = some << 1 | (b.count > 0 ? odd[b.count - 1] : 0);
        }
        if (LANE == 0) combine(&post, &s, sum, outer);
        SYNC_LANES();
        const int32 some = sum[0] >> 1;
        for (int32 slot = 0; some && slot < s.slots; slot++) {
            Block b = block_of(&s, &r, slot);
            for (int32 j = LANE; j < b.count; j += LANES)
                if (odd_to[slot * size + j] ^ outer[slot])
                    swap_cities(&r.at, place(&r, b.left, j + 1), place(&r, b.right, b.count - 1 - j));
        }
        SYNC_LANES();
        if (LANE == 0) append_cities(&p, &post, &s, &r), *lost = post.lost;
        SYNC_LANES();
        if (*lost) return;
        r.low = r.low + 1 < r.places ? r.low + 1 : 0;
        idle = some || !last_stage ? 0 : idle + 1;
        done++;
    }

    for (int32 slot = 0; slot < s.slots; slot++) {
        Block b = block_of(&s, &r, slot);
        for (int32 j = LANE; j < b.count; j += LANES) {
            mine[b.first + j] = r.at.city[place(&r, b.left, j + 1)];
            mine[m - 1 - b.first - j] = r.at.city[place(&r, b.right, b.count - 1 - j)];
        }
        if (LANE == 0 && b.number == s.blocks - 1) mine[s.elements] = r.at.city[place(&r, b.left, b.count + 1)];
    }
    made = SUM_OF_LANES(made);
    if (LANE == 0) accepted[(int64)t * GROUPS + GROUP] += made;
    if (LANE == 0 && GROUP == 0) state[4 * t] = done, state[4 * t + 1] = idle;
}
