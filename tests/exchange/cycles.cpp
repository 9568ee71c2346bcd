/// \file
/// The order of the trials by annealing, and that nothing changes it.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <exchange/anneal/successive_halving.hpp>
#include <exchange/schedule/schedule.hpp>
#include <support/changed_record.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <optional>

namespace {

using namespace clopt;
using namespace clopt::exchange;

BOOST_AUTO_TEST_SUITE(cycles)

BOOST_AUTO_TEST_CASE(begin_with_all_groups_and_end_with_few) {
  for (const std::size_t groups : {1U, 2U, 3U, 7U, 16U})
    for (const std::uint32_t most_trials : {1U, 4U, 64U})
      for (const std::uint64_t cycle : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{5},
                                        std::uint64_t{1000}, ~std::uint64_t{2}, ~std::uint64_t{1}, ~std::uint64_t{0}}) {
        const auto stages = stages_of(cycle, groups, most_trials);
        BOOST_TEST_CONTEXT(groups << " groups, cycle " << cycle << ", " << most_trials << " trials at most") {
          BOOST_REQUIRE(!stages.empty());
          BOOST_TEST(stages.front().groups == groups);
          BOOST_TEST(stages.back().groups == (cycle > groups ? groups : std::min<std::uint64_t>(groups, 2 + cycle)));
          for (std::size_t i = 0; i < stages.size(); ++i) {
            BOOST_TEST(stages[i].launches > 0U);
            BOOST_TEST(stages[i].trials > 0U);
            // One each, or no more of all together than memory takes.
            BOOST_TEST((stages[i].trials == 1 || stages[i].trials * stages[i].groups <= most_trials));
            if (i > 0) BOOST_TEST(stages[i].groups < stages[i - 1].groups);
            if (i > 0) BOOST_TEST(stages[i].launches > stages[i - 1].launches);
          }
        }
      }
}

BOOST_AUTO_TEST_CASE(have_more_and_more_work) {
  for (const std::uint32_t most_trials : {1U, 16U, 64U}) {
    std::uint64_t before = 0;
    for (std::uint64_t cycle = 0; cycle < 40; ++cycle) {
      const auto last = stages_of(cycle, 2, most_trials).back();
      const auto work = last.groups * last.trials * last.launches;
      BOOST_TEST(work == (cycle == 0 ? work : 2 * before));
      before = work;
    }
  }
}

/// A number of devices of one kind.
std::vector<std::shared_ptr<Device>> devices_of(std::size_t count) {
  std::vector<std::shared_ptr<Device>> devices;
  for (std::size_t i = 0; i < count; ++i) devices.push_back(open_device("openmp:0"));
  return devices;
}

/// A search at a number of steps, on some devices.
/// \param resume from where, or null. \param saved what becomes of the states.
SearchResult search(
    std::uint32_t steps, const Options& options, std::uint64_t generations, std::size_t devices,
    const char* topology = "mesh:3x3", const Record* resume = nullptr,
    const std::function<void(const std::function<Record()>&)>& saved = [](const auto&) {}) {
  const auto problem = test::complete_exchange(topology);
  const Network network(problem.topology);
  const auto opened = devices_of(devices);
  const RunControl control;
  const Watch watch(control);
  SearchTask task{problem, network, nullptr,     steps,       options, parse_options(options),
                  opened,  watch,   generations, options.seed};
  task.resume = resume;
  task.save = saved;
  if (options.statistics)
    task.statistics = [&](const GenerationStatistics& found) { options.statistics({found, steps}); };
  return anneal(task);
}

// No schedule of the mesh 3x3 has 5 steps: the search never ends by itself, and several devices begin cycles ahead,
// some of which the limit cuts.
BOOST_AUTO_TEST_CASE(are_those_of_one_device_on_several, *boost::unit_test::label("long")) {
  Options options;
  options.replicas = 2;
  for (const char* optimizer : {"anneal", "tabu"})
    for (const std::uint64_t generations : {1U, 40U, 700U, 9'000U, 30'000U}) {
      options.optimizer = optimizer;
      options.seed = generations;
      const auto one = search(5, options, generations, 1);
      BOOST_TEST(one.conflicts > 0U);
      BOOST_TEST(one.evaluations_done == one.evaluations);
      for (const std::size_t count : {2U, 3U}) {
        const auto several = search(5, options, generations, count);
        BOOST_TEST_CONTEXT(optimizer << ", " << generations << " generations, " << count << " devices") {
          BOOST_TEST(checksum_of(several.schedule) == checksum_of(one.schedule));
          BOOST_TEST(several.conflicts == one.conflicts);
          BOOST_TEST(several.generations == one.generations);
          BOOST_TEST(several.evaluations == one.evaluations);
          BOOST_TEST(several.evaluations_done >= several.evaluations);
        }
      }
    }
}

// Answers of the second cycle, which another device finds ahead of need, with limits about the sweeps that they took.
BOOST_AUTO_TEST_CASE(that_were_begun_ahead_count_within_the_limit_alone,
                     *boost::unit_test::label("slow") * boost::unit_test::label("long")) {
  Options options;
  options.replicas = 1;
  const auto same = [&](const char* topology, std::uint32_t steps, std::uint64_t limit) {
    auto one = search(steps, options, limit, 1, topology);
    const auto two = search(steps, options, limit, 2, topology);
    BOOST_TEST_CONTEXT(topology << ", limit " << limit) {
      BOOST_TEST(checksum_of(two.schedule) == checksum_of(one.schedule));
      BOOST_TEST(two.generations == one.generations);
      BOOST_TEST(two.evaluations == one.evaluations);
    }
    return one;
  };
  const auto compare = [&](const char* topology, std::uint32_t steps) {
    const auto found = same(topology, steps, 60'000);
    BOOST_TEST(found.conflicts == 0U);
    // Beyond what a first cycle makes.
    BOOST_TEST(found.generations > 6'000U);
    for (const std::uint64_t less : {0U, 1U, 100U}) same(topology, steps, found.generations - less);
    BOOST_TEST(same(topology, steps, found.generations + 64).generations == found.generations);
  };
  options.optimizer = "tabu";
  options.seed = 1;
  compare("torus:6x6", 27);
  if (std::getenv("CLOPT_TEST_LONG") == nullptr) return;
  options.optimizer = "anneal";
  options.seed = 3;
  compare("torus:7x7", 42);
}

// Wherever it stopped: within a stage, between stages and between cycles.
BOOST_AUTO_TEST_CASE(continue_from_where_they_were, *boost::unit_test::label("long")) {
  Options options;
  options.optimizer = "anneal";
  options.replicas = 2;
  options.seed = 5;
  constexpr std::uint64_t whole_generations = 14'000;
  const auto whole = search(5, options, whole_generations, 1);
  for (const std::uint64_t stop : {1U, 30U, 64U, 65U, 200U, 2'000U, 5'100U, 5'200U, 6'000U, 11'000U, 13'999U, 14'000U})
    for (const std::size_t devices : {1U, 2U}) {
      if (devices > 1 && stop != 65 && stop != 5'200) continue;
      const auto part = search(5, options, stop, devices);
      const auto resumed = search(5, options, whole_generations, devices, "mesh:3x3", &part.state);
      BOOST_TEST_CONTEXT("stopped at " << stop << " of " << whole_generations << ", " << devices << " devices") {
        BOOST_TEST(checksum_of(resumed.schedule) == checksum_of(whole.schedule));
        BOOST_TEST(resumed.generations == whole.generations);
        BOOST_TEST(resumed.evaluations == whole.evaluations);
        BOOST_TEST(resumed.conflicts == whole.conflicts);
      }
    }
}

// There are enough slots that a launch places few transfers: the first stage is longer than its launches.
BOOST_AUTO_TEST_CASE(continue_while_transfers_are_placed,
                     *boost::unit_test::label("slow") * boost::unit_test::label("long")) {
  Options options;
  options.optimizer = "anneal";
  options.replicas = 1;
  constexpr std::uint32_t steps = 60'000;
  std::optional<Record> tenth;
  const auto whole =
      search(steps, options, 1000, 1, "mesh:10x10", nullptr, [&, launches = 0](const auto& make) mutable {
        if (++launches == 10) tenth = make();
      });
  BOOST_TEST(whole.conflicts == 0U);
  BOOST_REQUIRE(tenth.has_value());
  const auto resumed = search(steps, options, 1000, 1, "mesh:10x10", &*tenth);
  BOOST_TEST(checksum_of(resumed.schedule) == checksum_of(whole.schedule));
  BOOST_TEST(resumed.generations == whole.generations);
}

BOOST_AUTO_TEST_CASE(are_reported_launch_by_launch) {
  Options options;
  options.optimizer = "anneal";
  options.replicas = 2;
  for (const std::uint32_t searches : {1U, 3U}) {
    options.searches = searches;
    std::uint64_t generation = 0;
    double best = 1e9;
    std::size_t rows = 0;
    std::size_t launches = 0;
    options.statistics = [&](const Statistics& row) {
      BOOST_TEST(row.generation >= generation);
      generation = row.generation;
      best = std::min(best, row.best);
      ++rows;
    };
    const auto found = search(5, options, 9'000, 1, "mesh:3x3", nullptr, [&](const auto&) { ++launches; });
    BOOST_TEST(rows == launches);
    BOOST_TEST(generation == found.generations);
    BOOST_TEST(best == static_cast<double>(found.conflicts));
  }
}

BOOST_AUTO_TEST_CASE(of_no_checkpoint_are_believed) {
  Options options;
  options.optimizer = "anneal";
  options.replicas = 2;
  const auto part = search(5, options, 200, 1);
  for (const std::uint64_t number : {std::uint64_t{1} << 21, ~std::uint64_t{2}, ~std::uint64_t{1}, ~std::uint64_t{0}})
    for (const std::uint64_t has_cycle : {0U, 1U}) {
      auto place = part.state.get<std::vector<std::uint64_t>>("place");
      place[0] = number;
      place[3] = has_cycle;
      const auto state = test::with(part.state, "place", std::move(place));
      BOOST_CHECK_THROW(search(5, options, 300, 1, "mesh:3x3", &state), InvalidInput);
    }
}

// Against the searches made one by one.
BOOST_AUTO_TEST_CASE(the_first_search_in_sweeps_wins) {
  constexpr std::uint64_t limit = 100'000;
  Options options;
  options.optimizer = "anneal";
  options.replicas = 1;
  for (const std::uint64_t seed : {1U, 2U}) {
    SearchResult first;
    for (std::uint64_t i = 0; i < 5; ++i) {
      options.searches = 1;
      options.seed = seed + 0xa076'1d64'78bd'642fU * i;
      auto own = search(30, options, limit, 1, "mesh:5x5");
      BOOST_REQUIRE(own.conflicts == 0U);
      if (i == 0 || own.generations < first.generations) first = std::move(own);
    }
    options.searches = 5;
    options.seed = seed;
    for (const std::size_t count : {1U, 3U}) {
      const auto found = search(30, options, limit, count, "mesh:5x5");
      BOOST_TEST_CONTEXT("seed " << seed << ", " << count << " devices") {
        BOOST_TEST(checksum_of(found.schedule) == checksum_of(first.schedule));
        BOOST_TEST(found.generations == first.generations);
        BOOST_TEST(found.evaluations == first.evaluations);
        BOOST_TEST(found.evaluations_done > first.evaluations);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(searches_in_vain_give_the_fewest_conflicts) {
  Options options;
  options.optimizer = "anneal";
  options.replicas = 1;
  std::uint64_t fewest = ~std::uint64_t{0};
  for (std::uint64_t i = 0; i < 3; ++i) {
    options.seed = 9 + 0xa076'1d64'78bd'642fU * i;
    fewest = std::min(fewest, search(5, options, 300, 1).conflicts);
  }
  options.searches = 3;
  options.seed = 9;
  const auto one = search(5, options, 300, 1);
  BOOST_TEST(one.conflicts == fewest);
  BOOST_TEST(checksum_of(search(5, options, 300, 2).schedule) == checksum_of(one.schedule));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
