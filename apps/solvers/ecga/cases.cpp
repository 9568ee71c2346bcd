/// \file
/// The cases of `clopt validate` for ECGA.
#include <clopt/ecga_problems.hpp>

#include <fmt/format.h>

#include <array>

#include <commands/solver.hpp>

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;

/// A problem that a population of this size is known to solve.
struct Known {
  const char* name;
  std::uint32_t length;
  std::uint64_t population;
  bool is_solved = true;          ///< else only the checksums are compared
  std::uint64_t generations = 0;  ///< a limit where equally good individuals only drift; 0: none
};

// Odd sizes: lengths and populations that fill no word.
constexpr Known of_every_way{"trap5", 35, 1777};
constexpr Known long_one{"trap5", 100, 10007};
constexpr std::array<Known, 9> of_one_way{{{"onemax", 49, 301},
                                           {"trap3", 33, 999},
                                           {"step-trap6", 36, 2001, false, 12},
                                           {"folded-trap6", 36, 2505, false, 12},
                                           {"cyclic-trap5", 36, 2001, false, 12},
                                           {"hiff", 32, 1001},
                                           {"nk3", 31, 1003, false, 12},
                                           {"nk7", 31, 503, false, 6},
                                           {"ising", 36, 1201, false, 12}}};

ValidationOutcome solve(const Known& known, const solver::Options& way, Device& device, const RunControl& control) {
  const auto problem = solver::find_problem(known.name, known.length, 1);
  auto options = way;
  options.population = known.population;
  if (known.generations != 0) options.generations = known.generations;
  const auto result = solver::solve(problem, options, device, control);
  ValidationOutcome outcome{result.checksum, {}};
  const auto optimum = problem.objective.optimum();
  if (control.stop.stop_requested()) return outcome;
  if (known.is_solved && optimum && result.best_fitness != *optimum)
    outcome.wrong = fmt::format("the best is {}, and the optimum is {}", result.best_fitness, *optimum);
  else if (optimum && result.best_fitness > *optimum * (1 + 1e-6))
    outcome.wrong = fmt::format("the best is {}, above the optimum of {}", result.best_fitness, *optimum);
  else if (known.generations == 0 && !result.converged)
    outcome.wrong = "it ended before all individuals were equal";
  return outcome;
}

ValidationCase make(const Known& known, const solver::Options& options) {
  return {
      fmt::format("ecga/{}/{}/{}:{}", options.search, options.counting, known.name, known.length), true,
      [known, options](Device& device, const RunControl& control) { return solve(known, options, device, control); }};
}

}  // namespace

std::vector<ValidationCase> validation_cases(bool with_long_ones) {
  std::vector<ValidationCase> cases;
  for (const auto& search : choices_of<solver::Options>("search"))
    for (const auto& counting : choices_of<solver::Options>("counting")) {
      solver::Options options;
      options.search = search;
      options.counting = counting;
      cases.push_back(make(of_every_way, options));
      if (with_long_ones) cases.push_back(make(long_one, options));
    }
  for (const auto& known : of_one_way) cases.push_back(make(known, {}));
  return cases;
}

}  // namespace clopt::apps::ecga
