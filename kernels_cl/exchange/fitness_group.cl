/* Work-groups that count conflicts. */
#ifndef CLOPT_EXCHANGE_FITNESS_GROUP_CL
#define CLOPT_EXCHANGE_FITNESS_GROUP_CL

#define FITNESS_GROUP_SIZE 256
/* One more than a work-group has sub-groups: as few as can be, since local memory is what keeps tables out of the
 * nearest cache. */
#ifdef CLOPT_SUBGROUP_PTX
#define FITNESS_PARTS (FITNESS_GROUP_SIZE / 32 + 1)
#else
#define FITNESS_PARTS (FITNESS_GROUP_SIZE + 1)
#endif

#endif
