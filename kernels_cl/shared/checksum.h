/* The checksum of a block of bytes: XXH3 with 64 bits, the usual secret and seed 0, as the specification of xxHash has
 * it (doc/xxhash_spec.md, "XXH3 Algorithm Overview", of more than 240 bytes). Little-endian words of eight bytes belong
 * to eight lanes by turns; a stripe is a word of each. After each section of stripes the lanes are scrambled, but for the
 * last one, whose last stripe has a part of the secret of its own. */
#ifndef CLOPT_SHARED_CHECKSUM_H
#define CLOPT_SHARED_CHECKSUM_H

#include "language.h"

#define CHECKSUM_LANES 8u
#define CHECKSUM_STRIPES 16u
#define CHECKSUM_SECTIONS 256u
/* Work-items of a work-group, at most: some blocks' lanes. */
#define CHECKSUM_GROUP_SIZE 32u
#define CHECKSUM_BLOCK_WORDS (CHECKSUM_LANES * CHECKSUM_STRIPES * CHECKSUM_SECTIONS)

CLOPT_SHARED_BEGIN

CLOPT_SHARED_TABLE ulong checksum_secret[24] = {
    0xbe4ba423396cfeb8UL, 0x1cad21f72c81017cUL, 0xdb979083e96dd4deUL, 0x1f67b3b7a4a44072UL, 0x78e5c0cc4ee679cbUL,
    0x2172ffcc7dd05a82UL, 0x8e2443f7744608b8UL, 0x4c263a81e69035e0UL, 0xcb00c391bb52283cUL, 0xa32e531b8b65d088UL,
    0x4ef90da297486471UL, 0xd8acdea946ef1938UL, 0x3f349ce33f76faa8UL, 0x1d4f0bc7c7bbdcf9UL, 0x3159b4cd4be0518aUL,
    0x647378d9c97e9fc8UL, 0xc3ebd33483acc5eaUL, 0xeb6313faffa081c5UL, 0x49daf0b751dd0d17UL, 0x9e68d429265516d3UL,
    0xfca1477d58be162bUL, 0xce31d07ad1b8f88fUL, 0x280416958f3acb45UL, 0x7e404bbbcafbd7afUL};

/* What the lanes begin with. */
CLOPT_SHARED_TABLE ulong checksum_start[CHECKSUM_LANES] = {
    0x00000000c2b2ae3dUL, 0x9e3779b185ebca87UL, 0xc2b2ae3d27d4eb4fUL, 0x165667b19e3779f9UL,
    0x85ebca77c2b2ae63UL, 0x0000000085ebca77UL, 0x27d4eb2f165667c5UL, 0x000000009e3779b1UL};

/* Eight bytes of the secret, from one on that is not a multiple of eight. */
CLOPT_SHARED ulong checksum_secret_from(uint byte) {
  const uint shift = byte % 8u * 8u;
  return checksum_secret[byte / 8u] >> shift | checksum_secret[byte / 8u + 1u] << (64u - shift);
}

/* A lane's part of the secret, for a stripe of a section, and for the last one of the block. */
CLOPT_SHARED ulong checksum_key(uint stripe, uint lane) { return checksum_secret[stripe + lane]; }
CLOPT_SHARED ulong checksum_last_key(uint lane) { return checksum_secret_from(121u + 8u * lane); }

/* A lane after a stripe. word: its own; neighbour: that of the lane whose number differs in the last bit. */
CLOPT_SHARED ulong checksum_added(ulong sum, ulong word, ulong neighbour, ulong key) {
  const ulong keyed = word ^ key;
  return sum + neighbour + (keyed & 0xffffffffUL) * (keyed >> 32);
}

/* A lane after a section, and its part of the secret for that. */
CLOPT_SHARED ulong checksum_scrambling_key(uint lane) { return checksum_secret[CHECKSUM_STRIPES + lane]; }
CLOPT_SHARED ulong checksum_scrambled(ulong sum, ulong key) { return ((sum ^ sum >> 47) ^ key) * 0x9e3779b1UL; }

/* What two lanes come to, the even one first. */
CLOPT_SHARED ulong checksum_folded(ulong one, ulong other, uint pair) {
  const ulong left = one ^ checksum_secret_from(11u + 16u * pair);
  const ulong right = other ^ checksum_secret_from(19u + 16u * pair);
  return (left * right) ^ mul_hi(left, right);
}

/* The checksum of a block, given the sum of what its pairs of lanes come to. */
CLOPT_SHARED ulong checksum_finished(ulong sum) {
  ulong hash = sum + 8UL * CHECKSUM_BLOCK_WORDS * 0x9e3779b185ebca87UL;
  hash = (hash ^ hash >> 37) * 0x165667919e3779f9UL;
  return hash ^ hash >> 32;
}

CLOPT_SHARED_END

#endif
