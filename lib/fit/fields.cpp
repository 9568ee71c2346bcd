/// \file
/// The fields of options.
#include <shared/fit/fit.h>
#include <clopt/fit.hpp>

#include <algorithm>
#include <array>

#include "options.hpp"

namespace clopt::fit {

namespace {

constexpr std::array losses{"linear", "soft-l1", "huber", "cauchy", "poisson"};

std::vector<std::string> loss_names() { return {losses.begin(), losses.end()}; }

}  // namespace

std::uint32_t loss_of(std::string_view name) {
  static_assert(FIT_SQUARES == 0 && FIT_SOFT_L1 == 1 && FIT_HUBER == 2 && FIT_CAUCHY == 3 && FIT_POISSON == 4);
  return static_cast<std::uint32_t>(std::find(losses.begin(), losses.end(), name) - losses.begin());
}

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
  table("loss", &o.loss)
      .choices(loss_names())
      .help("what is least: the sum of squares, a sum in which large residuals count less, or the deviance of counts");
  table("scale", &o.loss_scale)
      .range(1e-30, 1e30)
      .value("V")
      .python("f_scale")
      .needs("loss", {"soft-l1", "huber", "cauchy"})
      .help("residuals above it, in units of sigma, count as large");
  table("errors", &o.errors).help("find no standard errors, which takes a little time of its own");
  table("covariance", &o.covariance).not_in_program().help("find the covariance of the parameters, too");
  return table;
}

}  // namespace clopt::fit
