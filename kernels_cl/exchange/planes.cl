/* Numbers of 32 slots as planes of bits: bit i of plane k is bit k of slot i's number, from 0 to 15. One instruction
 * works on 32 slots. */
#ifndef CLOPT_EXCHANGE_PLANES_CL
#define CLOPT_EXCHANGE_PLANES_CL

/* What sums of planes are cut at. */
#define PLANES_MOST 15u

typedef uint4 planes;

static inline uint majority(uint a, uint b, uint c) { return (a & b) | (c & (a | b)); }

/* The sums, cut at PLANES_MOST. */
static inline planes planes_sum(planes a, planes b) {
  const uint carry = a.x & b.x;
  const uint second = majority(a.y, b.y, carry);
  const uint third = majority(a.z, b.z, second);
  const uint over = majority(a.w, b.w, third);
  return (planes)((a.x ^ b.x) | over, (a.y ^ b.y ^ carry) | over, (a.z ^ b.z ^ second) | over,
                  (a.w ^ b.w ^ third) | over);
}

/* Slots where b is less than a, or equal to it and `tie` has a 1: the borrow of a subtraction. */
static inline uint planes_less(planes b, planes a, uint tie) {
  return majority(a.w, ~b.w, majority(a.z, ~b.z, majority(a.y, ~b.y, majority(a.x, ~b.x, tie))));
}

/* b in the slots of a mask, a in the others. */
static inline planes planes_select(planes a, planes b, uint mask) { return bitselect(a, b, (planes)(mask)); }

/* One more in the slots of a mask, or one less. */
static inline planes planes_changed(planes a, uint mask, uint is_added) {
  const uint flip = is_added != 0u ? 0u : 0xffffffffu;
  const uint second = mask & (a.x ^ flip);
  const uint third = second & (a.y ^ flip);
  const uint fourth = third & (a.z ^ flip);
  return a ^ (planes)(mask, second, third, fourth);
}

/* Slots of a number. */
static inline uint planes_equal(planes a, uint number) {
  return ~((a.x ^ (0u - (number & 1u))) | (a.y ^ (0u - (number >> 1 & 1u))) | (a.z ^ (0u - (number >> 2 & 1u))) |
           (a.w ^ (0u - (number >> 3 & 1u))));
}

static inline uint planes_at(planes a, uint slot) {
  const uint bit = slot & 31u;
  return (a.x >> bit & 1u) | (a.y >> bit & 1u) << 1 | (a.z >> bit & 1u) << 2 | (a.w >> bit & 1u) << 3;
}

/* Bit k of each byte of a word, side by side. */
static inline uint bits_of_bytes(uint word, uint k) { return ((word >> k & 0x01010101u) * 0x10204080u) >> 28; }

/* The numbers of 32 bytes; in *over, whether one is too large. */
static inline planes planes_of_bytes(global const uint* bytes, uint* over) {
  planes a = (planes)(0);
  for (uint i = 0; i < 8; ++i) {
    const uint word = bytes[i];
    a |= (planes)(bits_of_bytes(word, 0), bits_of_bytes(word, 1), bits_of_bytes(word, 2), bits_of_bytes(word, 3))
         << (planes)(4 * i);
    *over |= word & 0xf0f0f0f0u;
  }
  return a;
}

/* Four bits as the bit k of the bytes of a word. */
static inline uint bytes_of_bits(uint bits, uint k) { return ((bits & 15u) * 0x00204081u & 0x01010101u) << k; }

static inline void planes_to_bytes(planes a, global uint* bytes) {
  for (uint i = 0; i < 8; ++i)
    bytes[i] = bytes_of_bits(a.x >> 4 * i, 0) | bytes_of_bits(a.y >> 4 * i, 1) | bytes_of_bits(a.z >> 4 * i, 2) |
               bytes_of_bits(a.w >> 4 * i, 3);
}

#endif
