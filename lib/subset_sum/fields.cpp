/// \file
/// The fields of the options.
#include <clopt/fields.hpp>
#include <clopt/subset_sum.hpp>

#include <algorithm>

#include "options.hpp"

namespace clopt::subset_sum {

namespace {

constexpr std::uint64_t most_numbers = 0xfffffffe;
constexpr std::uint64_t most_listed = 1'000'000;
constexpr std::uint32_t most_groups = 1'000'000;

}  // namespace

FieldTable fields(Options& o) {
  auto k3 = method_names.all();
  std::erase_if(k3, [](const auto& method) { return !is_k3(method); });
  auto swept = k3;
  swept.emplace_back("auto");
  FieldTable table(o);
  table.group("Problem", FieldEffect::output);
  table("exactly", &o.exactly)
      .help(
          "ask for a subset with just this sum, or with one within `tolerance` of it; of the program: status 4 "
          "without");
  table("at_least", &o.at_least).effect(FieldEffect::result).help("find the least sum that is not below the capacity");
  table("fewest", &o.fewest)
      .effect(FieldEffect::result)
      .help("find one of the smallest subsets with the best sum, with proof");
  table("count", &o.count)
      .range(0, most_numbers)
      .unset("any number of them")
      .effect(FieldEffect::result)
      .help("find a subset of exactly this many numbers");
  table("all", &o.all)
      .range(1, most_listed)
      .unset("one")
      .help("list up to this many different subsets with the best sum, and report whether there are more");
  table("unique", &o.unique).help("report whether the subset is the only one with the best sum");
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
          "how k3 finds the subset again: table (4 bytes a capacity), checkpoints (3 bits), host (the same in the "
          "host's memory, for capacities beyond the device's), or auto, the cheapest one that fits");
  table("work_groups", &o.work_groups)
      .range(1, most_groups)
      .unset("as many as there is work for")
      .needs("method", k3)
      .help(
          "of k3 with a table, on a device with work-groups: at most this many, to measure how speed grows with them");
  table("reduce", &o.reduce).help("use no common divisor and no certificate: the whole work of the method");
  return table;
}

}  // namespace clopt::subset_sum
