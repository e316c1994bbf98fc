/* Counter-based random numbers: each is a function of a key and a counter.
 *
 * A key stands for (seed, climber), the counter for the draw, so any lane, thread or device can compute any number, and
 * a resumed search continues the same sequence. The mixing is the finaliser of splitmix64 (Steele, Lea and Flood 2014)
 * applied to key + counter * the golden ratio: with the keys of random_key this is one splitmix64 stream per climber.
 */
#ifndef WARPTOUR_RANDOM
#define WARPTOUR_RANDOM

INLINE uint64 random_mix(uint64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Return the key of one climber; different seeds and climbers give different keys. */
INLINE uint64 random_key(uint64 seed, uint64 climber) {
    return random_mix(random_mix(seed + 0x9E3779B97F4A7C15u) + (climber + 1) * 0xD1B54A32D192ED03u);
}

/* Return 32 random bits. */
INLINE uint32 random_bits(uint64 key, uint64 counter) {
    return (uint32)(random_mix(key + (counter + 1) * 0x9E3779B97F4A7C15u) >> 32);
}

/* Return a number in 0..bound-1, with a bias below bound / 2^32. Advances the counter by one. */
INLINE uint32 random_below(uint64 key, uint64 *counter, uint32 bound) {
    uint32 bits = random_bits(key, *counter);
    *counter += 1;
    return (uint32)(((uint64)bits * bound) >> 32);
}

#endif
