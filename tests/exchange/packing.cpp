/// \file
/// Slots packed one after the other, and what they are made of.
#include "networks.hpp"

#include <exchange/packing/free_slots.hpp>
#include <exchange/packing/greedy.hpp>
#include <exchange/packing/packing.hpp>
#include <exchange/packing/partial_schedule.hpp>
#include <exchange/packing/slot_packer.hpp>
#include <support/threads/thread_team.hpp>

#include <clopt/error.hpp>
#include <clopt/record.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>

namespace {

using namespace clopt;
using namespace clopt::exchange;

std::uint32_t moves_for(const Network& network, std::uint32_t each) {
  return each * static_cast<std::uint32_t>(network.links().size());
}

Schedule packed(const Problem& problem, std::uint32_t moves_a_link, unsigned threads, std::uint32_t attempt = 0,
                std::optional<double> limit = std::nullopt, std::uint32_t width = 1) {
  const Network network(problem.topology);
  RunControl control;
  control.time_limit = limit;
  ThreadTeam team(threads);
  return pack(problem, network, {7, attempt, moves_for(network, moves_a_link), width}, team, Watch(control)).schedule;
}

/// The price of the cheapest shortest path, by trying all.
std::int32_t cheapest(const Problem& problem, const LinkPrices& prices, const Transfer& transfer) {
  const auto distance = test::distances_of(problem.topology);
  std::int32_t least = 1 << 30;
  for (const auto& path : test::all_shortest_paths(problem.topology, distance, transfer.from, transfer.to)) {
    std::int32_t price = 0;
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
      const auto& links = problem.topology.links;
      const auto link = std::find(links.begin(), links.end(), Link{path[hop], path[hop + 1]}) - links.begin();
      price += prices.of_link(static_cast<std::uint32_t>(link));
    }
    least = std::min(least, price);
  }
  return least;
}

BOOST_AUTO_TEST_SUITE(packing)

BOOST_AUTO_TEST_CASE(any_network_gets_a_valid_schedule) {
  std::mt19937_64 random(17);
  for (std::uint32_t round = 0; round < 12; ++round) {
    BOOST_TEST_CONTEXT("seed 17, round " << round) {
      const auto topology = test::random_network(random, 2 + 4 * round);
      for (const char* pattern : {"all-to-all", "many-to-many:0:1", "gather:0"}) {
        const auto problem = make_problem(topology, pattern);
        const auto schedule = packed(problem, round % 3, 2);
        BOOST_TEST(check(problem, claim(problem, schedule)) == "");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(threads_and_time_change_no_schedule_that_is_reached) {
  // Long enough that several slots are filled at once.
  const auto problem = test::complete_exchange("ring:73");
  const auto alone = claim(problem, packed(problem, 2, 1));
  BOOST_TEST(checksum_of(claim(problem, packed(problem, 2, 3))) == checksum_of(alone));
  BOOST_TEST(checksum_of(claim(problem, packed(problem, 2, 1, 0, 1000))) == checksum_of(alone));
  BOOST_TEST(checksum_of(claim(problem, packed(problem, 2, 1, 1))) != checksum_of(alone));
  const auto at_once = packed(problem, 2, 1, 0, 0);
  BOOST_TEST(check(problem, claim(problem, at_once)) == "");
}

BOOST_AUTO_TEST_CASE(several_ways_side_by_side_are_those_of_one_thread) {
  std::mt19937_64 random(19);
  for (const std::uint32_t width : {2U, 5U, 16U}) {
    BOOST_TEST_CONTEXT("seed 19, width " << width) {
      const auto problem = make_problem(test::random_network(random, 23), "all-to-all");
      const auto alone = packed(problem, 3, 1, 0, std::nullopt, width);
      BOOST_TEST(check(problem, claim(problem, alone)) == "");
      const auto checksum = checksum_of(claim(problem, alone));
      BOOST_TEST(checksum_of(claim(problem, packed(problem, 3, 3, 0, std::nullopt, width))) == checksum);
      BOOST_TEST(checksum_of(claim(problem, packed(problem, 3, 3, 1, std::nullopt, width))) != checksum);
      BOOST_TEST(check(problem, claim(problem, packed(problem, 3, 1, 0, 0, width))) == "");
    }
  }
}

BOOST_AUTO_TEST_CASE(several_ways_that_are_cut_are_completed_by_first_fit) {
  const auto problem = test::complete_exchange("mesh:5x5");
  const Network network(problem.topology);
  for (const int calls : {1, 2, 9}) {
    BOOST_TEST_CONTEXT(calls << " calls") {
      RunControl control;
      control.progress_interval = 0;
      control.progress = [left = calls](const Progress&) mutable { return --left > 0; };
      ThreadTeam team(2);
      const auto found = pack(problem, network, {7, 0, moves_for(network, 2), 6}, team, Watch(control));
      BOOST_TEST(!found.is_whole);
      BOOST_TEST(found.how.find("then first fit") != std::string::npos, found.how);
      BOOST_TEST(check(problem, claim(problem, found.schedule)) == "");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_packing_continues_where_it_was_saved_or_cut) {
  const auto problem = test::complete_exchange("mesh:5x5");
  const Network network(problem.topology);
  ThreadTeam team(2);
  const PackingEffort effort{7, 0, moves_for(network, 2), 6};
  const auto whole = pack(problem, network, effort, team, Watch({}));
  BOOST_TEST_REQUIRE(whole.is_whole);
  for (const int calls : {1, 2, 3, 5, 9, 14}) {
    for (const bool by_slot : {false, true}) {
      BOOST_TEST_CONTEXT(calls << " calls, " << (by_slot ? "cut in a slot" : "saved")) {
        std::stop_source stop;
        RunControl control;
        control.stop = stop.get_token();
        control.progress_interval = 0;
        control.progress = [&, left = calls](const Progress&) mutable { return by_slot || --left > 0; };
        Record saved;
        const auto save = [&, left = calls](const std::function<Record()>& make) mutable {
          saved = make();
          if (by_slot && --left == 0) stop.request_stop();
        };
        const Watch watch(control);
        const auto cut = pack(problem, network, effort, team, watch, {nullptr, save});
        BOOST_TEST(!cut.is_whole);
        for (const auto* const state : {&std::as_const(saved), &cut.state}) {
          const auto rest = pack(problem, network, effort, team, Watch({}), {state->empty() ? nullptr : state, {}});
          BOOST_TEST(rest.is_whole);
          BOOST_TEST(rest.how == whole.how);
          BOOST_TEST(checksum_of(claim(problem, rest.schedule)) == checksum_of(claim(problem, whole.schedule)));
        }
        // Cut again before it has begun, it stands where it stood.
        if (cut.state.empty()) continue;
        RunControl none;
        none.time_limit = 0;
        const auto again = pack(problem, network, effort, team, Watch(none), {&cut.state, save});
        BOOST_TEST(again.state.array<std::uint32_t>("slots").size() == cut.state.array<std::uint32_t>("slots").size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(states_that_were_altered_are_refused_or_lead_to_a_valid_schedule) {
  const auto problem = test::complete_exchange("mesh:3x4");
  const Network network(problem.topology);
  ThreadTeam team(1);
  const PackingEffort effort{7, 0, moves_for(network, 2), 3};
  Record saved;
  pack(problem, network, effort, team, Watch({}), {nullptr, [&](const auto& make) { saved = make(); }});
  BOOST_TEST_REQUIRE(!saved.empty());
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    BOOST_TEST_CONTEXT("seed " << seed << ", round " << round) {
      const auto at = random() % saved.fields().size();
      Record altered;
      for (std::size_t i = 0; i < saved.fields().size(); ++i) {
        const auto& [name, value] = saved.fields()[i];
        if (i != at)
          altered.add(name, value);
        else
          std::visit(
              [&, &field = name](const auto& array) {
                using Number = typename std::remove_cvref_t<decltype(array)>::value_type;
                std::vector<Number> numbers(array.begin(), array.end());
                if constexpr (std::is_arithmetic_v<Number>) {
                  if (numbers.empty() || random() % 8 == 0)
                    numbers.push_back({});
                  else if (random() % 8 == 0)
                    numbers.pop_back();
                  else
                    numbers[random() % numbers.size()] =
                        random() % 4 == 0 ? static_cast<Number>(-1) : static_cast<Number>(random() % 20);
                }
                altered.add(field, Record::Value(Record::Array<Number>(std::move(numbers))));
              },
              value);
      }
      try {
        const auto rest = pack(problem, network, effort, team, Watch({}), {&altered, {}});
        BOOST_TEST(check(problem, claim(problem, rest.schedule)) == "");
      } catch (const InvalidInput&) {
        ++refused;
      }
    }
  }
  BOOST_TEST(refused > 100);
}

BOOST_AUTO_TEST_CASE(several_ways_side_by_side_need_fewer_steps) {
  std::uint32_t narrow = 0;
  std::uint32_t wide = 0;
  for (std::uint64_t seed = 2; seed < 5; ++seed) {
    const auto problem = make_problem(make_topology("random:48:4", seed), "all-to-all");
    narrow += packed(problem, 2, 1).steps;
    wide += packed(problem, 2, 1, 0, std::nullopt, 12).steps;
  }
  BOOST_TEST(wide < narrow);
}

BOOST_AUTO_TEST_CASE(as_many_ways_as_there_is_memory_for) {
  const auto at_once = [](const char* topology, std::uint32_t width) {
    return packed_at_once(Network(make_topology(topology)), width);
  };
  BOOST_TEST(at_once("ring:7", 16) == 16);
  BOOST_TEST(at_once("ring:1024", 16) == 16);
  BOOST_TEST(at_once("ring:1025", 16) == 15);
  BOOST_TEST(at_once("ring:1025", 3) == 3);
  BOOST_TEST(at_once("ring:4096", 16) == 1);
}

BOOST_AUTO_TEST_CASE(efforts_grow_in_width_and_then_in_moves_too) {
  const Network network(make_topology("ring:9"));
  const auto effort = [&](std::uint64_t moves) {
    const auto found = packing_effort(network, moves, 5, 7);
    BOOST_TEST(found.seed == 5U);
    BOOST_TEST(found.attempt == 7U);
    return std::pair(found.width, found.moves / static_cast<std::uint32_t>(network.links().size()));
  };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  BOOST_TEST((effort(4) == Pair(1, 4)));
  BOOST_TEST((effort(8) == Pair(2, 4)));
  BOOST_TEST((effort(64) == Pair(16, 4)));
  BOOST_TEST((effort(128) == Pair(16, 8)));
  BOOST_TEST((effort(256) == Pair(32, 8)));
  BOOST_TEST((effort(1024) == Pair(64, 16)));
  // What there is no memory for becomes moves.
  const Network large(make_topology("ring:2048"));
  BOOST_TEST(packing_effort(large, 64, 5, 7).width == 4U);
  BOOST_TEST(packing_effort(large, 64, 5, 7).moves == 16 * 4096U);
}

BOOST_AUTO_TEST_CASE(copies_of_a_partial_schedule_go_their_own_ways) {
  const auto problem = test::complete_exchange("mesh:4x4");
  const Network network(problem.topology);
  PartialSchedule schedule(problem, network);
  std::uint64_t hops = 0;
  for (const auto& transfer : problem.transfers) hops += network.distance(transfer.from, transfer.to);
  BOOST_TEST(schedule.hops_left() == hops);
  schedule.update_prices();
  BOOST_TEST(schedule.expected_steps() == schedule.prices().largest_load());
  const auto fill = [&](PartialSchedule& own, std::uint32_t attempt) {
    own.pool().share_out(1, 5, own.steps());
    auto paths = SlotPacker(network).fill(own.prices(), own.pool(), 0, {5, attempt, own.steps()}, 300);
    std::uint64_t links = 0;
    for (const auto& path : paths) links += path.links.size();
    own.add_slot(std::move(paths));
    return links;
  };
  const auto first = fill(schedule, 0);
  auto copy = schedule;
  const auto second = fill(copy, 1);
  fill(copy, 1);
  fill(schedule, 2);
  BOOST_TEST(schedule.steps() == 2U);
  BOOST_TEST(copy.steps() == 3U);
  BOOST_TEST(copy.hops_left() < hops - first - second);
  schedule.add_slot({});
  BOOST_TEST(schedule.steps() == 2U);
  const auto share = static_cast<double>(schedule.hops_left()) / static_cast<double>(hops);
  BOOST_TEST(schedule.expected_steps() == 2 + schedule.prices().largest_load() * share,
             boost::test_tools::tolerance(1e-12));
  for (const auto* own : {&schedule, &copy}) {
    const auto whole = own->completed();
    BOOST_TEST(check(problem, claim(problem, whole)) == "");
    BOOST_TEST(whole.steps > own->steps());
  }
  // The first slot is the same in both.
  const auto one = schedule.completed();
  const auto other = copy.completed();
  for (std::size_t i = 0; i < one.placements.size(); ++i)
    if (one.placements[i].slot == 0 && other.placements[i].slot == 0)
      BOOST_TEST(one.placements[i].path == other.placements[i].path);
}

BOOST_AUTO_TEST_CASE(a_schedule_of_which_nothing_is_left_takes_as_many_steps_as_are_filled) {
  const auto problem = test::complete_exchange("complete:5");
  const Network network(problem.topology);
  PartialSchedule schedule(problem, network);
  schedule.update_prices();
  schedule.pool().share_out(1, 5, 0);
  schedule.add_slot(SlotPacker(network).fill(schedule.prices(), schedule.pool(), 0, {5, 0, 0}, 500));
  BOOST_TEST(schedule.hops_left() == 0U);
  BOOST_TEST(schedule.expected_steps() == 1);
  BOOST_TEST(schedule.completed().steps == 1U);
}

BOOST_AUTO_TEST_CASE(random_networks_take_fewer_steps_than_by_first_fit) {
  auto problem = make_problem(make_topology("random:64:4", 3), "all-to-all");
  const auto bound = find_bound(problem).steps;
  const auto first_fit = greedy(problem, Network(problem.topology)).schedule.steps;
  const auto steps = packed(problem, 16, 1).steps;
  BOOST_TEST(steps >= bound);
  // More than half of the way from first fit to the bound.
  BOOST_TEST(2 * (steps - bound) < first_fit - bound, steps << " steps, " << first_fit << " by first fit, " << bound);
}

BOOST_AUTO_TEST_CASE(transfers_cost_what_their_cheapest_path_does) {
  std::mt19937_64 random(18);
  const auto problem = make_problem(test::random_network(random, 13), "all-to-all");
  const Network network(problem.topology);
  LinkPrices prices(problem, network);
  std::uint64_t hops = 0;
  for (const auto& transfer : problem.transfers) hops += network.distance(transfer.from, transfer.to);
  prices.update(hops);
  BOOST_TEST(prices.largest_load() >= static_cast<double>(find_bound(problem).steps) - 1);
  for (const auto& transfer : problem.transfers)
    BOOST_TEST(prices.of_transfer(transfer.from, transfer.to) == cheapest(problem, prices, transfer), "seed 18");
}

BOOST_AUTO_TEST_CASE(a_slot_takes_its_own_transfers_and_each_link_once) {
  const auto problem = test::complete_exchange("mesh:5x4");
  const Network network(problem.topology);
  LinkPrices prices(problem, network);
  prices.update(1);
  TransferPool pool(problem, network);
  pool.share_out(3, 5, 0);
  std::map<Transfer, std::uint32_t> part_of;
  for (const auto& transfer : problem.transfers)
    for (std::uint32_t part = 0; part < 3; ++part)
      if (pool.is_free(transfer.from, transfer.to, part)) part_of.emplace(transfer, part);
  BOOST_TEST(part_of.size() == problem.transfers.size());
  for (std::uint32_t part = 0; part < 3; ++part) {
    const auto paths = SlotPacker(network).fill(prices, pool, part, {1, 0, part}, 500);
    std::vector<int> uses(network.links().size());
    for (const auto& path : paths) {
      BOOST_TEST(part_of.at(path.transfer) == part);
      BOOST_TEST(!pool.is_free(path.transfer.from, path.transfer.to, part));
      auto node = path.transfer.from;
      for (const auto link : path.links) {
        BOOST_TEST(network.links()[link].from == node);
        node = network.links()[link].to;
        BOOST_TEST(++uses[link] == 1);
      }
      BOOST_TEST(node == path.transfer.to);
      BOOST_TEST(path.links.size() == network.distance(path.transfer.from, path.transfer.to));
    }
    // Of 62 links most are used: each slot has 126 transfers to choose from.
    BOOST_TEST(std::count(uses.begin(), uses.end(), 1) > 50);
  }
}

BOOST_AUTO_TEST_CASE(a_move_goes_through_the_dearer_of_two_free_links) {
  // Messages of one link each: a move places one only where it draws one of these 16 links of 56, which cost most.
  const auto problem = make_problem(make_topology("complete:8"), "many-to-many:0-3:4-7");
  const Network network(problem.topology);
  LinkPrices prices(problem, network);
  prices.update(problem.transfers.size());
  for (std::uint32_t link = 0; link < network.links().size(); ++link) {
    const auto& [from, to] = network.links()[link];
    BOOST_TEST(prices.of_link(link) == (from < 4 && to >= 4 ? LinkPrices::most : 1));
  }
  constexpr std::uint32_t attempts = 4000;
  std::uint32_t placed = 0;
  for (std::uint32_t attempt = 0; attempt < attempts; ++attempt) {
    TransferPool pool(problem, network);
    placed += SlotPacker(network).fill(prices, pool, 0, {1, attempt, 0}, 1).size() == 1;
  }
  // Both links are cheap in (40/56)^2 of all draws. The deviation is 32; a link drawn alone places 1143.
  BOOST_TEST(placed > 1959 - 160);
  BOOST_TEST(placed < 1959 + 160);
}

BOOST_AUTO_TEST_CASE(free_slots_leave_out_what_is_taken) {
  const Network network(make_topology("ring:4"));
  FreeSlots slots(network);
  BOOST_TEST(slots.take(600, {0, 1, 2}));
  BOOST_TEST(!slots.take(600, {1, 2, 3}));
  BOOST_TEST(slots.take(600, {2, 3, 0}));
  for (std::uint32_t slot = 0; slot < 700; ++slot)
    if (slot != 600) BOOST_TEST(slots.place({0, 1}).slot == slot);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
