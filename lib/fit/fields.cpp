/// \file
/// The fields of options.
#include <clopt/fit.hpp>

#include "options.hpp"

namespace clopt::fit {

FieldTable fields(Options& o) {
  FieldTable table(o);
  table.group("Search");
  table("precision", &o.precision)
      .choices({"auto", "float", "double"})
      .help("of data and parameters; auto: double where floats would lose digits that matter, else float");
  table("iterations", &o.iterations)
      .range(1, most_iterations)
      .python("maxiter")
      .help("evaluations of a row's model and slopes, at most");
  table("errors", &o.errors).help("find no standard errors, which takes a little time of its own");
  table("covariance", &o.covariance).not_in_program().help("find the covariance of the parameters, too");
  return table;
}

}  // namespace clopt::fit
