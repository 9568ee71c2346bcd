/* The objective of a program: objective_of(individual) and, where its value is a sum, what shared/objective/sum.h says.
 * An operation that includes this has the generic type `real`, float or double; lib/objective/program.hpp gives its
 * program the text. Before the include, INDIVIDUAL_SPACE says where genes lie: global (the default), local, private. */
#ifndef CLOPT_COMMON_OBJECTIVE_CL
#define CLOPT_COMMON_OBJECTIVE_CL

#include "shared/elementary/elementary.h"
#include "shared/objective/constraint.h"
#include "shared/objective/individual.h"
#include "objective_text.cl"
#include "shared/objective/sum.h"

#endif
