/// \file
/// The work of `clopt bench --solver differential-evolution --table libraries` by pagmo, one problem after the other on
/// one core: clopt-pagmo PROBLEMS DIMENSIONS POPULATION GENERATIONS SEED LIMIT. Prints the seconds it took, or nothing
/// where LIMIT seconds were not enough. A program of its own, so that clopt does not need pagmo.
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/problems/rastrigin.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>

int main(int count, char** words) {
  if (count != 7) return 2;
  const auto number = [&](int index) { return static_cast<unsigned>(std::strtoul(words[index], nullptr, 10)); };
  const double limit = std::strtod(words[6], nullptr);
  constexpr unsigned rand_1_bin = 7;
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const pagmo::problem problem{pagmo::rastrigin(number(2))};
  for (unsigned k = 0; k < number(1); ++k) {
    if (seconds() > limit) return 0;
    const auto seed = number(5) + k;
    const pagmo::algorithm algorithm{pagmo::de(number(4), 0.5, 0.9, rand_1_bin, 0.0, 0.0, seed)};
    algorithm.evolve(pagmo::population(problem, number(3), seed));
  }
  std::cout << seconds() << '\n';
  return 0;
}
