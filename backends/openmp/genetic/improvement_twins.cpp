/// \file
/// Twin of the kernel in kernels_cl/genetic that shortens tours.
#include <shared/genetic/two_opt.h>
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "island.hpp"

#include <genetic/operations.hpp>

#include <atomic>

namespace clopt::openmp::genetic {
namespace {

namespace operations = clopt::genetic::operations;

template <class Real>
void run_improve(const Range&, const operations::Improve<Real>& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  const auto each = *arguments.all != 0 ? run.population : shared::genetic_bred(run);
  const auto words = shared::genetic_tour_words(run.genes);
  const auto near = shared::genetic_near_count(run.genes);
  for_each_index(uint64_t{each} * run.islands, 1, [&](uint64_t number) {
    const auto i = number / each * run.population + number % each;
    auto* const places = arguments.scratch.data() + i * words;
    const shared::genetic_tour<Real> tour{arguments.population.data() + i * run.row,
                                          places,
                                          places + run.genes,
                                          arguments.tables.data(),
                                          run.genes,
                                          near};
    if (*arguments.begins != 0) shared::genetic_begin_tour<Real>(tour);
    if (shared::genetic_shorten<Real>(tour, arguments.most) == 0)
      std::atomic_ref(arguments.unfinished[0]).store(1, std::memory_order_relaxed);
    arguments.costs[i] = static_cast<Real>(shared::genetic_tour_length<Real>(tour));
  });
}

}  // namespace

const Twin improve{run_improve<float>, run_improve<double>};

}  // namespace clopt::openmp::genetic
