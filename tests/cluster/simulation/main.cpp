/// \file
/// A job of ranks in simulated time, for smpirun: simulation MESSAGE_SECONDS and
/// problems PROBLEMS MEAN_SECONDS LENGTHS BYTES SEED, or
/// islands COUNT GENERATION_SECONDS MIGRATE_EVERY BYTES EPOCHS.
/// Ranks share problems by the library's own queue, messages and module; their devices sleep as long as a problem is
/// said to take: LENGTHS is `exponential` (about the mean) or `even`. Prints an object of JSON.
#include <cluster/launcher.hpp>
#include <group/distribution.hpp>
#include <group/workers.hpp>

#include <Random123/philox.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "islands.hpp"
#include "shared_state.hpp"

namespace cluster = clopt::cluster;
namespace group = clopt::group;

namespace {

using Clock = std::chrono::steady_clock;

// What differential evolution wants a launch to take: it looks in between whether it must end.
constexpr double launch_seconds = 0.05;

// Of group::Kind, in its order.
constexpr const char* kinds[] = {"run",    "go",       "range",   "news", "stop",  "end", "leave", "prepared", "ask",
                                 "result", "progress", "failure", "back", "error", "bye", "alive", "note"};
static_assert(std::size(kinds) == SharedState::kinds);

struct Problems {
  std::uint64_t count = 0;
  double mean_seconds = 0;
  std::uint64_t bytes = 0;  ///< of a result
  std::uint64_t seed = 0;
  bool is_even = false;

  double seconds_of(std::uint64_t problem) const {
    if (is_even) return mean_seconds;
    const r123::Philox4x32::ctr_type counter{
        {static_cast<std::uint32_t>(problem), static_cast<std::uint32_t>(problem >> 32U)}};
    const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}};
    const auto words = r123::Philox4x32()(counter, key);
    return -mean_seconds * std::log((words[0] + 0.5) / 4294967296.0);
  }
};

/// A device whose time is a formula. \returns whether all was done.
bool compute(const Problems& problems, const group::Range& range, const std::stop_token& stop) {
  double left = 0;
  for (auto problem = range.first; problem < range.first + range.count; ++problem) left += problems.seconds_of(problem);
  for (; left > 0 && !stop.stop_requested(); left -= launch_seconds)
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, launch_seconds)));
  return left <= 0;
}

void serve(const Problems& problems, group::Mailbox& mailbox) {
  group::serve_ranges(
      {}, std::nullopt, mailbox, group::RankShape(), [&](const group::Order& order, const clopt::RunControl& control) {
        const bool is_done = compute(problems, order.range, control.stop);
        return std::pair(clopt::Bytes(is_done ? order.range.count * problems.bytes : 0), std::uint64_t{1});
      });
}

const group::WorkerEntry entry("simulation", [](clopt::ByteReader message, std::optional<double>,
                                                std::span<const std::shared_ptr<clopt::Device>>,
                                                group::Mailbox& mailbox) { serve(message.take<Problems>(), mailbox); });

std::optional<Problems> problems_of(int count, char** words) {
  if (count != 5) return std::nullopt;
  const std::string lengths = words[2];
  if (lengths != "exponential" && lengths != "even") return std::nullopt;
  return Problems{std::strtoull(words[0], nullptr, 10), std::strtod(words[1], nullptr),
                  std::strtoull(words[3], nullptr, 10), std::strtoull(words[4], nullptr, 10), lengths == "even"};
}

struct Outcome {
  cluster::Report report;
  std::uint64_t ranges = 0;  ///< that have a result
  double seconds = 0;
  double busy = 0;
  bool is_whole = false;  ///< whether each problem was done once
};

Outcome share_out(cluster::Session& session, const Problems& problems) {
  Outcome outcome;
  std::vector<int> done(problems.count);
  group::Work work{.solver = "simulation", .message = clopt::encode(problems)};
  work.ranges = {{0, 0, problems.count}};
  work.accept = [&](const group::Range& range, clopt::ByteReader result) {
    ++outcome.ranges;
    if (result.rest().size() != range.count * problems.bytes) return;
    for (auto problem = range.first; problem < range.first + range.count; ++problem) ++done[problem];
  };
  work.attend = [] {};
  work.expired = [] { return false; };
  work.interrupted = [] { return false; };
  work.local = [&](group::Mailbox& mailbox) { serve(problems, mailbox); };
  const auto begin = Clock::now();
  outcome.report = group::distribute(session, work).report;
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (const auto& rank : outcome.report.per_rank) outcome.busy += rank.busy_seconds;
  outcome.is_whole = std::all_of(done.begin(), done.end(), [](int times) { return times == 1; });
  return outcome;
}

nlohmann::json described_messages() {
  nlohmann::json messages;
  const auto& state = shared_state();
  for (std::size_t kind = 0; kind < std::size(kinds); ++kind)
    messages[kinds[kind]] = {{"messages", state.messages[kind]}, {"bytes", state.bytes[kind]}};
  return messages;
}

nlohmann::json described(const Problems& problems, const Outcome& outcome) {
  double work = 0;
  double longest = 0;
  for (std::uint64_t problem = 0; problem < problems.count; ++problem) {
    const double seconds = problems.seconds_of(problem);
    work += seconds;
    longest = std::max(longest, seconds);
  }
  return {{"ranks", outcome.report.ranks},
          {"problems", problems.count},
          {"work", work},
          {"longest", longest},
          {"seconds", outcome.seconds},
          {"busy", outcome.busy},
          {"requests", outcome.report.requests},
          {"duplicated", outcome.report.duplicated},
          {"each_once", outcome.is_whole},
          {"ranges", outcome.ranges}};
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 2 ? words[2] : "";
  const auto problems = what == "problems" ? problems_of(count - 3, words + 3) : std::nullopt;
  const auto islands = what == "islands" ? islands_of(count - 3, words + 3) : std::nullopt;
  if (!problems && !islands) {
    std::fputs(
        "simulation MESSAGE_SECONDS problems PROBLEMS MEAN_SECONDS exponential|even BYTES SEED\n"
        "simulation MESSAGE_SECONDS islands COUNT GENERATION_SECONDS MIGRATE_EVERY BYTES EPOCHS\n",
        stderr);
    return 2;
  }
  shared_state().message_seconds = std::strtod(words[1], nullptr);
  MPI_Init(&count, &words);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = 0;
  {
    cluster::Session session({"smpirun", static_cast<unsigned>(ranks), std::nullopt, {}});
    if (session.communicator().rank() != 0) {
      status = session.serve([] { return std::vector<std::shared_ptr<clopt::Device>>(); });
    } else {
      const double start = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
      auto object = problems ? described(*problems, share_out(session, *problems)) : evolve(session, *islands);
      status = object["each_once"] ? 0 : 1;
      session.leave(status, true);
      object["messages"] = described_messages();
      object["start"] = start;
      object["end"] = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
      std::puts(object.dump().c_str());
      std::fflush(stdout);
    }
  }
  MPI_Finalize();
  return status;
}
