/// \file
/// Runs of the extended compact genetic algorithm that resume from hostile checkpoints.
#include <clopt/ecga.hpp>
#include <clopt/ecga_problems.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "resume.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

fuzz::ResumeCase ecga_case(const ecga::Problem& problem, const ecga::Options& options) {
  return {[=](std::shared_ptr<CheckpointWriter> checkpoint) {
            auto begun = options;
            begun.generations = 1;
            begun.checkpoint = std::move(checkpoint);
            ecga::solve(problem, begun, fuzz::one_thread());
          },
          [=](std::shared_ptr<const Checkpoint> checkpoint) {
            auto resumed = options;
            resumed.generations = 2;
            resumed.resume = std::move(checkpoint);
            resumed.statistics = [](const ecga::Statistics&) {};
            RunControl control;
            control.progress = [](const Progress&) { return true; };
            const auto result = ecga::solve(problem, resumed, fuzz::one_thread(), control);
            fuzz::require(result.best_genes.size() == problem.length, "the best individual has all loci");
            std::size_t loci = 0;
            for (const auto& group : result.model) loci += group.size();
            fuzz::require(loci == 0 || loci == problem.length, "a model has each locus once");
          }};
}

std::vector<fuzz::ResumeCase> ecga_cases() {
  ecga::Options plain;
  plain.population = 40;
  auto limited = plain;
  limited.population = 33;
  limited.crossover = 0.6;
  limited.stagnation = 2;
  limited.target = 9;
  limited.guesses = 2;
  auto counted = plain;
  counted.counting = "table";
  counted.largest_group = 3;
  const auto ones = Objective::from_bit_function([](std::span<const std::uint32_t> words, std::size_t length) {
    fuzz::require(words.size() == 2 && words[1] >> (length - 32) == 0, "there are zeros beyond the last locus");
    return static_cast<double>(words[0] % 16);
  });
  return {ecga_case(ecga::trap(5, 10), plain), ecga_case(ecga::trap(3, 9), limited),
          ecga_case(ecga::nearest_neighbour_nk(2, 8, 1), counted), ecga_case({ones, 35}, plain)};
}

const fuzz::Target resume_ecga_target{"resume_ecga", fuzz::resume<ecga_cases>};

}  // namespace
