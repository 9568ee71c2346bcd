/// \file
/// The table of the closest value for `clopt bench`.
#include <clopt/closest_value.hpp>

#include "solver.hpp"

namespace clopt::apps::closest_value {

std::vector<BenchmarkTable> benchmark_tables() {
  BenchmarkTable table;
  table.name = "sizes";
  table.caption = "lists of several lengths";
  table.columns = {{"values", "values", BenchmarkColumn::Kind::count, 12},
                   {"seconds", "seconds", BenchmarkColumn::Kind::seconds, 12}};
  table.run = [](const BenchmarkOptions& bench, const std::function<void(const BenchmarkRow&)>& add) {
    for (const std::size_t count : {1'000U, 100'000U}) {
      const auto result = clopt::closest_value::solve({std::vector<std::uint64_t>(count, 3)}, {.wanted = 4},
                                                      *bench.device, bench.control());
      add({{"values", count}, {"seconds", result.seconds.total}});
    }
  };
  return {table};
}

}  // namespace clopt::apps::closest_value
