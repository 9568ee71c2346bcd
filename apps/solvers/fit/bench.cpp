/// \file
/// The table of fits for `clopt bench`.
#include <clopt/fit.hpp>

#include "solver.hpp"

namespace clopt::apps::fit {

std::vector<BenchmarkTable> benchmark_tables() {
  BenchmarkTable table;
  table.name = "spots";
  table.caption = "spots of 5 x 5 data, 5 parameters, from a guess";
  table.seconds = 5;
  table.columns = {{"rows", "rows", BenchmarkColumn::Kind::count, 12},
                   {"seconds", "seconds", BenchmarkColumn::Kind::seconds, 12},
                   {"converged", "converged", BenchmarkColumn::Kind::count, 12}};
  table.run = [](const BenchmarkOptions& bench, const std::function<void(const BenchmarkRow&)>& add) {
    constexpr std::size_t columns = 25;
    for (const std::size_t rows : {10'000U, 200'000U}) {
      std::vector<double> data;
      for (std::size_t k = 0; k < rows; ++k)
        for (std::size_t j = 0; j < columns; ++j) {
          const auto row = j / 5;
          const double t = static_cast<double>(j % 5) - 1.5 - static_cast<double>(k % 101) / 100;
          const double u = static_cast<double>(row) - 1.5 - static_cast<double>(k % 103) / 102;
          data.push_back(500 / (1 + t * t / 2 + u * u / 2) + static_cast<double>((k * 31 + j * 17) % 23));
        }
      clopt::fit::Problem problem{clopt::fit::Model::named("gauss_2d", 5), std::move(data), columns};
      problem.parameters = 5;
      problem.guess = {500, 2, 2, 1.1, 10};
      const auto result = clopt::fit::solve(problem, {}, *bench.device, bench.control());
      add({{"rows", rows}, {"seconds", result.seconds.compute}, {"converged", result.converged}});
    }
  };
  return {table};
}

}  // namespace clopt::apps::fit
