// One reading of an objective's text. Included within a namespace, for each precision and for both values of
// OBJECTIVE_MODERATE; so it has no guard.
#include <shared/objective/individual.h>
#include OBJECTIVE_TEXT
#include <shared/objective/sum.h>
