// One built-in objective in both precisions. Included for each one, with OBJECTIVE_NAME, OBJECTIVE_TEXT,
// OBJECTIVE_KIND, OBJECTIVE_FORM and OBJECTIVE_FINISH defined; so it has no guard.
namespace clopt::shared::OBJECTIVE_NAME {

// They read nothing past an end: tests/objective compares them with their texts as a user would give them.
#define OBJECTIVE_CHECKED 0
#define OBJECTIVE_DOUBLE 0
namespace single_precision {
namespace exact {
typedef float real;
#define OBJECTIVE_MODERATE 0
#include "reading.hpp"
#undef OBJECTIVE_MODERATE
}  // namespace exact
namespace moderate {
typedef float real;
#define OBJECTIVE_MODERATE 1
#include "reading.hpp"
#undef OBJECTIVE_MODERATE
}  // namespace moderate
#include "loops.hpp"
}  // namespace single_precision
#undef OBJECTIVE_DOUBLE

#define OBJECTIVE_DOUBLE 1
namespace double_precision {
namespace exact {
typedef double real;
#define OBJECTIVE_MODERATE 0
#include "reading.hpp"
#undef OBJECTIVE_MODERATE
}  // namespace exact
namespace moderate {
typedef double real;
#define OBJECTIVE_MODERATE 1
#include "reading.hpp"
#undef OBJECTIVE_MODERATE
}  // namespace moderate
#include "loops.hpp"
}  // namespace double_precision
#undef OBJECTIVE_DOUBLE

}  // namespace clopt::shared::OBJECTIVE_NAME

#undef OBJECTIVE_CHECKED
#undef OBJECTIVE_NAME
#undef OBJECTIVE_TEXT
#undef OBJECTIVE_KIND
#undef OBJECTIVE_FORM
#undef OBJECTIVE_FINISH
