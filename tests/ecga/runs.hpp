/// \file
/// What tests of whole runs begin with.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/ecga.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clopt::test {

inline ecga::Problem problem_of(const std::string& objective, std::uint32_t length) {
  return {ecga::find_objective(objective), length};
}

inline ecga::Options options_of(std::uint64_t population) {
  ecga::Options options;
  options.population = population;
  return options;
}

/// A run as its checkpoint has it.
struct RunState {
  std::uint64_t generation;
  std::vector<std::uint32_t> population;
  std::vector<float> fitness;
  std::vector<std::uint32_t> model_sizes;
  std::vector<std::uint32_t> model_loci;

  explicit RunState(const Checkpoint& checkpoint)
      : generation(checkpoint.number<std::uint64_t>("generation")),
        population(checkpoint.array<std::uint32_t>("population")),
        fitness(checkpoint.array<float>("fitness")),
        model_sizes(checkpoint.array<std::uint32_t>("model_sizes")),
        model_loci(checkpoint.array<std::uint32_t>("model_loci")) {}

  ecga::Model model() const {
    ecga::Model groups;
    auto locus = model_loci.begin();
    for (const auto size : model_sizes) {
      groups.emplace_back(locus, locus + size);
      locus += size;
    }
    return groups;
  }
};

/// States after each generation up to the limit, the first one included.
inline std::vector<RunState> states_of(const ecga::Problem& problem, const ecga::Options& options) {
  const Folder folder;
  const auto file = folder.path() / "state";
  std::vector<RunState> states;
  auto steps = options;
  for (std::uint64_t generation = 0; generation <= *options.generations; ++generation) {
    steps.generations = generation;
    if (generation > 0) steps.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "ecga"));
    steps.checkpoint = std::make_shared<CheckpointWriter>(file);
    ecga::solve(problem, steps, device());
    states.emplace_back(Checkpoint::read(file, "ecga"));
    BOOST_TEST_REQUIRE(states.back().generation == generation);
  }
  return states;
}

inline unsigned bit(const std::vector<std::uint32_t>& population, std::size_t individuals, std::size_t i,
                    std::size_t locus) {
  return population[locus / 32 * individuals + i] >> locus % 32 & 1;
}

}  // namespace clopt::test
