/* How the primitives share a buffer out: each work-group takes one section of consecutive elements. */
#ifndef CLOPT_COMMON_SECTIONS_CL
#define CLOPT_COMMON_SECTIONS_CL

/* The largest work-group of the primitives, which bounds their local memory. */
#define PRIMITIVES_GROUP_SIZE 256

/* The section of this work-group is [begin, end) of `count` elements. Sections are `section` elements long, but for
 * the last ones, which may be shorter or empty. */
static inline ulong section_begin(ulong count, ulong section) { return min(get_group_id(0) * section, count); }
static inline ulong section_end(ulong count, ulong section) { return min((get_group_id(0) + 1) * section, count); }

#endif
