#include "islands.hpp"

#include <group/distribution.hpp>
#include <group/ring.hpp>
#include <group/workers.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

namespace cluster = clopt::cluster;
namespace group = clopt::group;

namespace {

using Clock = std::chrono::steady_clock;

struct RunMessage {
  Islands islands;
  std::uint32_t ranks = 0;
};

// What a rank has of the islands, and how often.
group::Range range_of_rank(const RunMessage& run, std::uint64_t rank) {
  const auto each = run.islands.count / run.ranks;
  const auto rest = run.islands.count % run.ranks;
  return {0, rank * each + std::min(rank, rest), each + (rank < rest ? 1 : 0)};
}

void evolve_part(const RunMessage& run, const group::Range& range, group::Mailbox& mailbox) {
  const auto members = static_cast<std::uint32_t>(std::min<std::uint64_t>(run.ranks, run.islands.count));
  std::vector<std::uint32_t> ranks;
  std::size_t own = 0;
  for (std::uint32_t rank = 0; rank < members; ++rank) {
    ranks.push_back(rank);
    if (range_of_rank(run, rank).first == range.first) own = rank;
  }
  group::Ring ring(mailbox, std::move(ranks), own);
  const auto& islands = run.islands;
  const double epoch = islands.generation_seconds * static_cast<double>(range.count * islands.migrate_every);
  // As large as genetic::RingStatus.
  struct Status {
    std::uint32_t generation = 0;
    std::uint32_t rest[3]{};
  } status;
  for (std::uint64_t n = 0; n < islands.epochs; ++n) {
    std::this_thread::sleep_for(std::chrono::duration<double>(epoch));
    ring.pass_on(clopt::Bytes(islands.bytes));
    status.generation = static_cast<std::uint32_t>(n);
    status = ring.all_reduce(
        status, [](const Status& one, const Status& other) { return one.generation < other.generation ? other : one; });
  }
}

void serve(const RunMessage& run, group::Mailbox& mailbox) {
  group::serve_ranges({}, std::nullopt, mailbox, group::RankShape(),
                      [&](const group::Order& order, const clopt::RunControl&) {
                        evolve_part(run, order.range, mailbox);
                        return std::pair(clopt::Bytes(1), std::uint64_t{1});
                      });
}

const group::WorkerEntry entry("islands", [](clopt::ByteReader run, std::optional<double>,
                                             std::span<const std::shared_ptr<clopt::Device>>,
                                             group::Mailbox& mailbox) { serve(run.take<RunMessage>(), mailbox); });

}  // namespace

std::optional<Islands> islands_of(int count, char** words) {
  if (count != 5) return std::nullopt;
  const auto number = [](const char* word) { return std::strtoull(word, nullptr, 10); };
  return Islands{number(words[0]), std::strtod(words[1], nullptr), number(words[2]), number(words[3]),
                 number(words[4])};
}

nlohmann::json evolve(cluster::Session& session, const Islands& islands) {
  const RunMessage run{islands, static_cast<std::uint32_t>(session.communicator().ranks())};
  std::uint64_t done = 0;
  group::Work work{.solver = "islands", .message = clopt::encode(run)};
  work.cutting = group::Cutting::own;
  for (std::uint32_t rank = 0; rank < run.ranks; ++rank) work.ranges.push_back(range_of_rank(run, rank));
  work.accept = [&](const group::Range& range, clopt::ByteReader) { done += range.count; };
  work.attend = [] {};
  work.expired = [] { return false; };
  work.interrupted = [] { return false; };
  work.local = [&](group::Mailbox& mailbox) { serve(run, mailbox); };
  const auto begin = Clock::now();
  const auto report = group::distribute(session, work).report;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  // The slowest rank's: what a run of islands takes, without the beginning and the end of the job.
  double busy = 0;
  for (const auto& rank : report.per_rank) busy = std::max(busy, rank.busy_seconds);
  return {{"ranks", report.ranks}, {"seconds", seconds}, {"busy", busy}, {"each_once", done == islands.count}};
}
