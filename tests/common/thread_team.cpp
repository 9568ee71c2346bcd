/// \file
/// Teams of threads: every part once, from every caller and whatever parts do.
#include <support/threads/kept_team.hpp>

#include <boost/test/unit_test.hpp>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using clopt::ThreadTeam;
using clopt::Waiting;

namespace {

constexpr Waiting both_ways[] = {Waiting::sleeping, Waiting::spinning};

// Work that takes about that many steps; different ones may end in any order.
unsigned work_for(unsigned steps) {
  unsigned value = steps;
  for (unsigned i = 0; i < steps; ++i) value = value * 1664525U + 1013904223U;
  return value;
}

void require_each_once(ThreadTeam& team, std::size_t parts, unsigned steps, bool is_chain = false) {
  std::vector<std::atomic<int>> done(parts);
  std::atomic<unsigned> sum = 0;
  std::atomic<bool> has_right_threads = true;
  const auto work = [&](std::size_t part, unsigned thread) {
    sum += work_for(steps);
    ++done[part];
    if (thread >= team.size()) has_right_threads = false;
  };
  is_chain ? team.run_chain(parts, work) : team.run(parts, work);
  BOOST_TEST(has_right_threads);
  std::size_t once = 0;
  for (const auto& each : done) once += each == 1 ? 1 : 0;
  BOOST_TEST(once == parts);
}

// Differs from that of any other team, also when it was given back.
std::uintptr_t place_of(const clopt::KeptTeam& team) { return reinterpret_cast<std::uintptr_t>(team.get()); }

// Those of this process.
std::ptrdiff_t threads() {
  const std::filesystem::directory_iterator all("/proc/self/task");
  return std::distance(begin(all), end(all));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(thread_team)

BOOST_AUTO_TEST_CASE(does_each_part_once) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  const auto below = [&](unsigned end) { return std::uniform_int_distribution<unsigned>(0, end - 1)(random); };
  BOOST_TEST_CONTEXT("seed " << seed)
  for (const auto waiting : both_ways)
    for (const unsigned threads : {1U, 2U, 3U, 7U}) {
      ThreadTeam team(threads, waiting);
      BOOST_TEST(team.size() == threads);
      for (const std::size_t parts : {0U, 1U, 2U, 7U, 49U, 65535U, 65536U, 200001U}) require_each_once(team, parts, 0);
      for (int call = 0; call < 300; ++call) {
        require_each_once(team, below(50), below(2000), call % 2 != 0);
        // Threads go to sleep.
        if (call % 60 == 59) std::this_thread::sleep_for(std::chrono::milliseconds(7));
      }
    }
  BOOST_TEST(ThreadTeam().size() == clopt::usable_cores());
}

// What parts wrote is seen by the caller, and what the caller wrote by the parts.
// Where the system reports that cores are taken: threads of this process take them.
BOOST_AUTO_TEST_CASE(a_chain_is_done_by_the_caller_while_cores_are_taken) {
  const auto cores = sysconf(_SC_NPROCESSORS_ONLN);
  std::atomic<bool> ending = false;
  std::vector<std::jthread> loops;
  for (long i = 0; i < 2 * cores + 2; ++i)
    loops.emplace_back([&] {
      while (!ending) {
      }
    });
  long running = 0;
  for (int look = 0; look < 1000 && running <= 2 * cores; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    double average = 0;
    std::ifstream("/proc/loadavg") >> average >> average >> average >> running;
  }
  if (running > 2 * cores && static_cast<long>(clopt::usable_cores()) >= cores) {
    ThreadTeam team(2, Waiting::spinning);
    for (int call = 0; call < 20; ++call) {
      std::vector<std::size_t> order;
      unsigned others = 0;
      std::mutex mutex;
      team.run_chain(7, [&](std::size_t part, unsigned thread) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard lock(mutex);
        order.push_back(part);
        others += thread;
      });
      BOOST_TEST(others == 0U);
      BOOST_TEST((order == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
    }
  } else {
    BOOST_TEST_MESSAGE("the system does not tell how many threads want to run");
  }
  ending = true;
}

BOOST_AUTO_TEST_CASE(calls_follow_each_other) {
  for (const auto waiting : both_ways) {
    ThreadTeam team(3, waiting);
    std::vector<unsigned> numbers(49, 1);
    for (int call = 0; call < 5000; ++call) {
      team.run(7, [&](std::size_t part) {
        for (auto i = 7 * part; i < 7 * part + 7; ++i) ++numbers[i];
      });
      ++numbers[static_cast<std::size_t>(call) % 49];
    }
    BOOST_TEST(std::accumulate(numbers.begin(), numbers.end(), 0U) == 49U + 5000U * 50U);
  }
}

BOOST_AUTO_TEST_CASE(throws_what_a_part_throws_and_continues) {
  for (const auto waiting : both_ways)
    for (const unsigned threads : {1U, 2U, 7U})
      for (const std::size_t parts : {1U, 2U, 9U, 70000U}) {
        ThreadTeam team(threads, waiting);
        for (const std::size_t thrower : {std::size_t{0}, parts / 2, parts - 1}) {
          const auto is_it = [&](const std::runtime_error& error) { return error.what() == std::to_string(thrower); };
          BOOST_CHECK_EXCEPTION(team.run(parts,
                                         [&](std::size_t part) {
                                           if (part == thrower) throw std::runtime_error(std::to_string(part));
                                         }),
                                std::runtime_error, is_it);
          require_each_once(team, 7, 10);
        }
        BOOST_CHECK_THROW(team.run(parts, [](std::size_t) { throw std::runtime_error("all"); }), std::runtime_error);
        require_each_once(team, 7, 10);
      }
}

BOOST_AUTO_TEST_CASE(a_part_may_call_teams) {
  ThreadTeam outer(3, Waiting::spinning);
  ThreadTeam inner(2, Waiting::spinning);
  BOOST_TEST(!ThreadTeam::is_in_part());
  std::atomic<int> done = 0;
  std::atomic<bool> is_by_itself = true;
  outer.run(7, [&](std::size_t) {
    const auto self = std::this_thread::get_id();
    for (auto* team : {&outer, &inner})
      team->run(7, [&](std::size_t) {
        ++done;
        if (std::this_thread::get_id() != self || !ThreadTeam::is_in_part()) is_by_itself = false;
      });
  });
  BOOST_TEST(done == 98);
  BOOST_TEST(is_by_itself);
  BOOST_TEST(!ThreadTeam::is_in_part());
}

BOOST_AUTO_TEST_CASE(several_threads_may_call_one_team) {
  ThreadTeam team(3, Waiting::spinning);
  std::vector<std::thread> callers;
  callers.reserve(5);
  std::atomic<std::size_t> done = 0;
  for (int caller = 0; caller < 5; ++caller)
    callers.emplace_back([&] {
      for (int call = 0; call < 500; ++call) team.run(7, [&](std::size_t) { ++done; });
    });
  for (auto& caller : callers) caller.join();
  BOOST_TEST(done == 5U * 500U * 7U);
}

BOOST_AUTO_TEST_CASE(threads_end_with_their_team) {
  for (int i = 0; i < 200; ++i) {
    ThreadTeam team(3, i % 2 == 0 ? Waiting::spinning : Waiting::sleeping);
    if (i % 3 != 0) require_each_once(team, 7, 10);
  }
}

BOOST_AUTO_TEST_CASE(a_kept_team_has_its_threads_again) {
  for (const auto waiting : {Waiting::sleeping, Waiting::spinning, Waiting::spinning_in_use}) {
    const auto use = [&] {
      const auto team = clopt::kept_team(3, waiting);
      BOOST_TEST(team->size() == 3U);
      require_each_once(*team, 49, 10);
      return place_of(team);
    };
    const auto first = use();
    const auto before = threads();
    for (int i = 0; i < 50; ++i) BOOST_TEST(use() == first);
    BOOST_TEST(threads() <= before);
  }
}

// Threads that spin take the process's time, while their caller sleeps. No more than there are cores ever spin.
BOOST_AUTO_TEST_CASE(a_team_that_was_given_back_does_not_spin) {
  const auto threads = std::min(3U, clopt::usable_cores());
  for (int i = 0; i < 5; ++i) {
    clopt::kept_team(threads, Waiting::spinning_in_use)->run(7, [](std::size_t) { work_for(100'000); });
    const auto before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    BOOST_TEST(std::clock() - before < CLOCKS_PER_SEC / 500);
  }
}

BOOST_AUTO_TEST_CASE(a_team_has_the_cores_of_its_user) {
  cpu_set_t all;
  BOOST_REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  const auto team_of_user = [] {
    const auto team = clopt::kept_team(2);
    team->run(7, [](std::size_t) { work_for(10); });
    return place_of(team);
  };
  const auto first = team_of_user();
  std::vector<std::uintptr_t> alone;
  for (int core = 0; core < CPU_SETSIZE && alone.size() < 2; ++core) {
    if (!CPU_ISSET(core, &all) || CPU_COUNT(&all) < 2) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    BOOST_REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
    alone.push_back(team_of_user());
    ::sched_setaffinity(0, sizeof all, &all);
    BOOST_TEST(alone.back() != first);
  }
  if (alone.size() == 2) BOOST_TEST(alone[0] != alone[1]);
  BOOST_TEST(team_of_user() == first);
}

// Also where more have teams at the same time than are kept.
BOOST_AUTO_TEST_CASE(users_at_the_same_time_have_teams_of_their_own) {
  const auto one = clopt::kept_team(2), other = clopt::kept_team(2), larger = clopt::kept_team(3);
  BOOST_TEST(one.get() != other.get());
  BOOST_TEST(larger->size() == 3U);
  BOOST_TEST(clopt::kept_team()->size() == clopt::usable_cores());
  std::atomic<unsigned> done = 0;
  std::vector<std::thread> users;
  users.reserve(7);
  for (int user = 0; user < 7; ++user)
    users.emplace_back([&] {
      for (int i = 0; i < 200; ++i) clopt::kept_team(3)->run(7, [&](std::size_t) { ++done; });
    });
  for (auto& user : users) user.join();
  BOOST_TEST(done == 7U * 200U * 7U);
}

BOOST_AUTO_TEST_CASE(a_child_of_a_fork_begins_threads_of_its_own) {
  const auto use = [] {
    const auto team = clopt::kept_team(3, Waiting::spinning);
    team->run(49, [](std::size_t) { work_for(10); });
    return place_of(team);
  };
  const auto parents = use();
  const auto child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const auto before = threads();
    ::_exit(use() != parents && threads() == before + 2 ? 0 : 1);
  }
  int status = -1;
  BOOST_TEST(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  BOOST_TEST(use() == parents);
}

BOOST_AUTO_TEST_SUITE_END()
