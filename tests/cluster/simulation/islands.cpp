#include "islands.hpp"

#include <cluster/distribution.hpp>
#include <cluster/ring.hpp>
#include <cluster/servants.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

namespace cluster = clopt::cluster;

namespace {

using Clock = std::chrono::steady_clock;

struct Job {
  Islands islands;
  std::uint32_t ranks = 0;
};

// What a rank has of the islands, and how often.
cluster::Range range_of_rank(const Job& job, std::uint64_t rank) {
  const auto each = job.islands.count / job.ranks;
  const auto rest = job.islands.count % job.ranks;
  return {0, rank * each + std::min(rank, rest), each + (rank < rest ? 1 : 0)};
}

void evolve_part(const Job& job, const cluster::Range& range, cluster::Mailbox& mailbox) {
  const auto members = static_cast<std::uint32_t>(std::min<std::uint64_t>(job.ranks, job.islands.count));
  std::vector<std::uint32_t> ranks;
  std::size_t own = 0;
  for (std::uint32_t rank = 0; rank < members; ++rank) {
    ranks.push_back(rank);
    if (range_of_rank(job, rank).first == range.first) own = rank;
  }
  cluster::Ring ring(mailbox, std::move(ranks), own);
  const auto& islands = job.islands;
  const double epoch = islands.generation_seconds * static_cast<double>(range.count * islands.migrate_every);
  // As genetic::Stand has it.
  std::array<std::uint32_t, 4> stand{};
  for (std::uint64_t n = 0; n < islands.epochs; ++n) {
    std::this_thread::sleep_for(std::chrono::duration<double>(epoch));
    ring.pass_on(Bytes(islands.bytes));
    stand[0] = static_cast<std::uint32_t>(n);
    stand = ring.agree(stand, [](const auto& one, const auto& other) { return std::max(one, other); });
  }
}

void serve(const Job& job, cluster::Mailbox& mailbox) {
  cluster::serve_ranges({}, std::nullopt, mailbox, cluster::RankShape(),
                        [&](const cluster::Order& order, const clopt::RunControl&) {
                          evolve_part(job, order.range, mailbox);
                          return std::pair(Bytes(1), std::uint64_t{1});
                        });
}

const cluster::ServantEntry entry("islands", [](clopt::ByteReader job, std::optional<double>,
                                                std::span<const std::shared_ptr<clopt::Device>>,
                                                cluster::Mailbox& mailbox) { serve(job.take<Job>(), mailbox); });

}  // namespace

std::optional<Islands> islands_of(int count, char** words) {
  if (count != 5) return std::nullopt;
  const auto number = [](const char* word) { return std::strtoull(word, nullptr, 10); };
  return Islands{number(words[0]), std::strtod(words[1], nullptr), number(words[2]), number(words[3]),
                 number(words[4])};
}

nlohmann::json evolve(cluster::Session& session, const Islands& islands) {
  const Job job{islands, static_cast<std::uint32_t>(session.communicator().ranks())};
  std::uint64_t done = 0;
  cluster::Work work{.solver = "islands", .job = clopt::encode(job)};
  work.cutting = cluster::Cutting::own;
  for (std::uint32_t rank = 0; rank < job.ranks; ++rank) work.ranges.push_back(range_of_rank(job, rank));
  work.accept = [&](const cluster::Range& range, clopt::ByteReader) { done += range.count; };
  work.attend = [] {};
  work.expired = [] { return false; };
  work.interrupted = [] { return false; };
  work.local = [&](cluster::Mailbox& mailbox) { serve(job, mailbox); };
  const auto begin = Clock::now();
  const auto report = cluster::distribute(session, work).report;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  // The slowest rank's: what a run of islands takes, without the beginning and the end of the job.
  double busy = 0;
  for (const auto& rank : report.per_rank) busy = std::max(busy, rank.busy_seconds);
  return {{"ranks", report.ranks}, {"seconds", seconds}, {"busy", busy}, {"each_once", done == islands.count}};
}
