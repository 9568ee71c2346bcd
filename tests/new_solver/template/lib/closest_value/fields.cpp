#include <clopt/closest_value.hpp>

namespace clopt::closest_value {

FieldTable fields(Options& o) {
  FieldTable table;
  table.group("Search");
  table("wanted", &o.wanted).sweeps().help("the value to be close to");
  table("seed", &o.seed).help("the seed of everything that is drawn");
  add_limits(table, o);
  return table;
}

}  // namespace clopt::closest_value
