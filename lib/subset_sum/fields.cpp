/// \file
/// The fields of the options.
#include <clopt/fields.hpp>
#include <clopt/subset_sum.hpp>

#include <algorithm>

#include "options.hpp"

namespace clopt::subset_sum {

FieldTable fields(Options& o) {
  auto swept = method_names.all();
  std::erase_if(swept, [](const auto& method) { return method != "auto" && !is_k3(method); });
  FieldTable table(o);
  table.group("Search", FieldEffect::execution);
  table("method", &o.method).choices(method_names.all()).sweeps().help("how the subset is found");
  table("barrier", &o.barrier)
      .choices(barrier_names.all())
      .needs("method", {"k2"})
      .help("how work-groups wait for each other in k2");
  table("recovery", &o.recovery)
      .choices(recovery_names.all())
      .needs("method", swept)
      .help(
          "how k3 finds the subset again: table (4 bytes a capacity), checkpoints (3 bits), or auto, the cheaper one "
          "that fits");
  table("reduce", &o.reduce).help("use no common divisor and no certificate: the whole work of the method");
  return table;
}

}  // namespace clopt::subset_sum
