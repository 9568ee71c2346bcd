// Finds, for each of 2,000 rows of data, the point (x, y) whose distances to three masts are nearest to those measured:
// 2,000 minimisations at once.
#include <clopt/clopt.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace de = clopt::differential_evolution;

int main() {
  const double masts[3][2] = {{0, 0}, {10, 0}, {0, 10}};
  std::mt19937_64 random(1);
  const auto draw = [&](double from, double to) {
    return from + (to - from) * 0x1p-64 * static_cast<double>(random());
  };
  std::vector<double> places, rows;
  for (int i = 0; i < 2000; ++i) {
    const double x = draw(0, 10), y = draw(0, 10);
    places.insert(places.end(), {x, y});
    for (const auto& [mast_x, mast_y] : masts) rows.push_back(std::hypot(x - mast_x, y - mast_y));
  }
  try {
    const auto objective = clopt::Objective::from_text(R"(
        // clopt: reals, minimise
        real miss(individual x, uint j, real mast_x, real mast_y) {
          const real dx = gene(x, 0u) - mast_x;
          const real dy = gene(x, 1u) - mast_y;
          const real error = sqrt(dx * dx + dy * dy) - row(x, j);
          return error * error;
        }
        real objective(individual x) { return miss(x, 0u, 0, 0) + miss(x, 1u, 10, 0) + miss(x, 2u, 0, 10); }
    )");
    const de::Problem problem{.objective = objective,
                              .dimensions = 2,
                              .problems = places.size() / 2,
                              .lower = {0},
                              .upper = {10},
                              .data = rows,
                              .columns = 3};
    de::Options options;
    options.population = 60;
    options.generations = 200;
    const auto device = clopt::open_device();
    const auto result = de::solve(problem, options, *device);
    int found = 0;
    for (std::size_t i = 0; i < places.size(); i += 2)
      found += std::hypot(result.parameters[i] - places[i], result.parameters[i + 1] - places[i + 1]) < 0.01;
    std::printf("%d of 2000 places found\n", found);
    return found == 2000 ? 0 : 1;
  } catch (const clopt::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
