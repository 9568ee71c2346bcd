#include <clopt/closest_value.hpp>

namespace clopt::closest_value {

FieldTable fields(Options& o) {
  FieldTable table(o);
  table.group("Search");
  table("wanted", &o.wanted).range(0, 1'000'000).sweeps().help("the value to be close to");
  add_seed(table, o);
  add_limits(table, o);
  return table;
}

}  // namespace clopt::closest_value
