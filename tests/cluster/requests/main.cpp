/// \file
/// A job whose ranges are one item of no work each: every one of them is done once, and the requests that rank 0
/// answers a second are printed, and the processor's time that one takes it, which other programs disturb less. For a
/// launcher of MPI: requests ITEMS
#include <clopt/cluster.hpp>
#include <cluster/session.hpp>
#include <group/distribution.hpp>
#include <group/workers.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace cluster = clopt::cluster;
namespace group = clopt::group;

namespace {

constexpr std::size_t asked_ahead = 16;

void answer(group::Mailbox& mailbox, bool works) {
  mailbox.prepared({1, asked_ahead, 1}, {});
  if (!mailbox.await_go()) return;
  for (std::size_t n = 0; works && n < asked_ahead; ++n) mailbox.ask();
  while (const auto order = mailbox.await_order()) {
    mailbox.send_result({order->range.ticket, 1e-6, 0, 0, 0, clopt::encode(order->range.first * 7)});
    mailbox.ask();
  }
}

// Of this thread, which is the one that speaks to other ranks.
double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

const group::WorkerEntry entry("requests", [](clopt::ByteReader, std::optional<double>,
                                              std::span<const std::shared_ptr<clopt::Device>>,
                                              group::Mailbox& mailbox) { answer(mailbox, true); });

}  // namespace

int main(int, char** words) {
  const auto member = cluster::join();
  if (!member) return 1;
  if (!member->is_first())
    return cluster::Session::current()->serve([] { return std::vector<std::shared_ptr<clopt::Device>>(); });
  const auto items = std::strtoull(words[1], nullptr, 10);
  std::vector<int> done(items);
  bool is_right = true;
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::duration<double> most(100);
  group::Work work{.solver = "requests", .message = {}};
  work.ranges = {{0, 0, items}};
  work.accept = [&](const group::Range& range, clopt::ByteReader result) {
    ++done[range.first];
    is_right = is_right && range.count == 1 && result.take<std::uint64_t>() == range.first * 7;
  };
  work.attend = [] {};
  work.expired = [&] { return std::chrono::steady_clock::now() - begin > most; };
  work.interrupted = [] { return false; };
  work.local = [](group::Mailbox& mailbox) { answer(mailbox, false); };
  const double processor = processor_seconds();
  const auto distributed = group::distribute(*cluster::Session::current(), work);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  is_right = is_right && std::all_of(done.begin(), done.end(), [](int count) { return count == 1; });
  const auto requests = static_cast<double>(distributed.report.requests);
  std::printf("%.0f requests in %.3f s: %.0f a second, %.1f us of the processor each, %llu handed out again%s\n",
              requests, taken.count(), requests / taken.count(), 1e6 * (processor_seconds() - processor) / requests,
              static_cast<unsigned long long>(distributed.report.duplicated), is_right ? "" : "; results are wrong");
  member->leave(is_right ? 0 : 1);
  return is_right ? 0 : 1;
}
