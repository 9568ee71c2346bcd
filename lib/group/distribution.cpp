#include "distribution.hpp"

#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <support/stopwatch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

namespace clopt::group {
namespace {

using Clock = std::chrono::steady_clock;

// A rank that says nothing for so long is lost.
constexpr double longest_silence = 600;
// What others may take to end their work after they were asked to; the program's own limit is 1.7 s.
constexpr double longest_stop = 1.0;
// Once a rank has failed to begin, what the others may take to say whether they have too.
constexpr double longest_verdict = 2.0;

class Distribution {
 public:
  Distribution(Group& group, const Work& work)
      : group_(group),
        work_(work),
        run_number_(group.next_run_number()),
        own_(run_number_, group.transport()),
        ranks_(ranks()) {
    report_.library = group.transport().library();
    report_.ranks = ranks();
    for (std::size_t rank = 0; rank < ranks(); ++rank) report_.per_rank.push_back({group.host_of(rank), {}, 0, 0, {}});
    bytes_before_ = group.transport().bytes();
  }
  ~Distribution() {
    // The ranks stop in any case, after an error too.
    try {
      deliver_to_all(Kind::end, {});
    } catch (...) {
      own_.deliver(Kind::end, ByteReader({}));
    }
    if (worker_.joinable()) worker_.join();
  }
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  Distributed run() {
    const auto seconds = work_.seconds;
    ByteWriter start = begin_message(Kind::run, run_number_);
    start.add(work_.solver).add(seconds);
    const auto head = start.take();
    for (std::size_t rank = 1; rank < ranks(); ++rank) {
      auto message = head;
      message.insert(message.end(), work_.message.begin(), work_.message.end());
      group_.transport().send(static_cast<int>(rank), std::move(message));
    }
    worker_ = std::thread([this] {
      try {
        work_.local(own_);
      } catch (...) {
        own_error_ = std::current_exception();
        own_.send_error();
      }
    });
    prepare();
    share_out();
    return finish();
  }

 private:
  struct Rank {
    std::optional<RankShape> shape;
    std::optional<Bytes> error;  // without kind and number
    bool is_gone = false;
    double all_seconds = 0;
    std::optional<double> build_seconds;
    std::uint64_t launches = 0;
    double last_message = 0;
  };

  std::size_t ranks() const { return static_cast<std::size_t>(group_.transport().ranks()); }
  double now() const { return since_begin_.seconds(); }

  void deliver(std::size_t rank, Kind kind, const Bytes& rest) {
    if (rank == 0) return own_.deliver(kind, ByteReader(rest));
    auto message = begin_message(kind, run_number_).take();
    message.insert(message.end(), rest.begin(), rest.end());
    group_.transport().send(static_cast<int>(rank), std::move(message));
  }
  void deliver_to_all(Kind kind, const Bytes& rest) {
    for (std::size_t rank = 0; rank < ranks(); ++rank) deliver(rank, kind, rest);
  }

  /// Takes all messages that are there. \returns whether there were any.
  bool poll() {
    bool is_active = group_.poll([this](std::size_t rank, Kind kind, std::uint32_t run_number, ByteReader message) {
      if (run_number == run_number_) take(rank, kind, message);
    });
    while (const auto message = own_.collect()) {
      ByteReader reader(*message);
      const auto kind = reader.take<Kind>();
      reader.take<std::uint32_t>();
      take(0, kind, reader);
      is_active = true;
    }
    while (auto note = own_.collect_note()) {
      group_.transport().send(static_cast<int>(note->rank), std::move(note->message));
      is_active = true;
    }
    if (is_active) last_message_ = now();
    return is_active;
  }

  void take(std::size_t rank, Kind kind, ByteReader message) {
    auto& one = ranks_[rank];
    one.last_message = now();
    auto& of_rank = report_.per_rank[rank];
    switch (kind) {
      case Kind::prepared: return take_shape(rank, message);
      case Kind::note: return own_.deliver(kind, message);
      case Kind::ask:
        if (queue_) queue_->ask(rank);
        return;
      case Kind::result: return take_result(rank, message);
      case Kind::progress: {
        const auto range = queue_ ? queue_->find(message.take<std::uint64_t>()) : std::nullopt;
        const auto progress = message.take<Bytes>();
        if (range && work_.progress) work_.progress(*range, ByteReader(progress));
        return;
      }
      case Kind::failure: return of_rank.failures.push_back(message.take<std::string>());
      case Kind::back:
        last_failure_ = message.take<std::string>();
        one.is_gone = true;
        if (queue_) queue_->give_back(rank);
        return;
      case Kind::error: one.error = Bytes(message.rest().begin(), message.rest().end()); return;
      default: return;
    }
  }

  void take_shape(std::size_t rank, ByteReader message) {
    ranks_[rank].shape = message.take<RankShape>();
    report_.per_rank[rank].devices = message.take<std::vector<std::string>>();
  }

  void take_result(std::size_t rank, ByteReader message) {
    const auto result = message.take<RangeResult>();
    ranks_[rank].all_seconds = result.all_seconds;
    ranks_[rank].build_seconds = result.build_seconds;
    ranks_[rank].launches = result.launches;
    const auto range = queue_->find(result.ticket);
    if (!queue_->finish(rank, result.ticket, result.seconds, now())) return;
    report_.per_rank[rank].items += range->count;
    work_.accept(*range, ByteReader(result.result));
  }

  const Bytes* error_of(std::size_t rank) const {
    if (ranks_[rank].error) return &*ranks_[rank].error;
    const auto& failure = group_.failure_of(rank);
    return failure ? &*failure : nullptr;
  }
  // The lowest rank's, where there is one.
  void rethrow_error() const {
    for (std::size_t rank = 0; rank < ranks(); ++rank)
      if (const auto* error = error_of(rank)) {
        if (rank == 0) std::rethrow_exception(own_error_);
        rethrow(ByteReader(*error), group_.name_of(rank));
      }
  }

  /// Waits until all ranks have opened what they work with.
  void prepare() {
    std::optional<double> failed;
    last_message_ = now();
    for (Backoff backoff;; backoff.wait(group_.transport())) {
      if (poll()) backoff.reset();
      work_.attend();
      std::size_t missing = 0;
      bool has_failed = false;
      for (std::size_t rank = 0; rank < ranks(); ++rank) {
        has_failed = has_failed || error_of(rank) != nullptr;
        missing += !ranks_[rank].shape && error_of(rank) == nullptr ? 1 : 0;
      }
      if (has_failed && !failed) failed = now();
      if (missing == 0 || (failed && now() - *failed > longest_verdict)) break;
      if (work_.interrupted()) throw Cancelled("the run was interrupted before all ranks had begun");
      require_word();
    }
    rethrow_error();
  }

  void require_word() const {
    if (now() - last_message_ < longest_silence) return;
    std::string silent;
    for (std::size_t rank = 1; rank < ranks(); ++rank)
      if (!ranks_[rank].shape || (queue_ && queue_->is_out(rank)))
        silent += (silent.empty() ? "" : ", ") + group_.name_of(rank);
    throw_silence(silent);
  }
  // The same where all ranks work in step, and wait for one that is lost; no other has its work.
  void require_word_of_each() const {
    for (std::size_t rank = 1; rank < ranks(); ++rank)
      if (queue_->is_out(rank) && now() - std::max(shared_out_, ranks_[rank].last_message) >= longest_silence)
        throw_silence(group_.name_of(rank));
  }
  [[noreturn]] static void throw_silence(const std::string& silent) {
    throw Error(fmt::format("nothing was heard for {} s of {}; the job ends", longest_silence, silent));
  }

  void share_out() {
    std::vector<RankShape> shapes;
    std::uint64_t devices = 0;
    for (const auto& rank : ranks_) {
      shapes.push_back(*rank.shape);
      devices += rank.shape->devices;
    }
    queue_.emplace(work_.ranges, std::move(shapes), work_.cutting);
    shared_out_ = now();
    deliver_to_all(Kind::go, encode(devices));
    std::optional<double> stopped;
    for (Backoff backoff; !queue_->is_done();) {
      bool is_active = poll();
      rethrow_error();
      if (std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.is_gone; }))
        throw DeviceError(last_failure_);
      is_active = hand_out() || is_active;
      if (const auto news = work_.news ? work_.news() : std::nullopt) deliver_to_all(Kind::news, encode(*news));
      work_.attend();
      // One range at least is begun, however little time there is.
      if (!stopped && has_issued_ && work_.expired()) {
        stopped = now();
        queue_->stop();
        if (work_.interrupted())
          own_.deliver(Kind::stop, ByteReader({}));
        else
          deliver_to_all(Kind::stop, {});
      }
      if (stopped && has_stopped(now() - *stopped)) break;
      if (work_.cutting == Cutting::own)
        require_word_of_each();
      else if (!queue_->is_out(0))
        require_word();
      if (is_active)
        backoff.reset();
      else
        backoff.wait(group_.transport(), own_);
    }
    ended_ = now();
  }

  bool hand_out() {
    bool is_active = false;
    while (const auto issue = queue_->next(now())) {
      auto details = work_.details ? work_.details(issue->range) : Bytes();
      deliver(issue->rank, Kind::range, encode(Order{issue->range, std::move(details)}));
      has_issued_ = true;
      is_active = true;
    }
    return is_active;
  }

  // After an interrupt only this rank's own work is waited for: the launcher ends the others soon.
  bool has_stopped(double seconds) const {
    return seconds > longest_stop || (work_.interrupted() && !queue_->is_out(0));
  }

  Distributed finish() {
    report_.requests = queue_->requests();
    report_.duplicated = queue_->duplicated();
    report_.bytes = group_.transport().bytes() - bytes_before_;
    Distributed distributed;
    RunTimes::move(TimePart::compute, TimePart::build, build_seconds());
    for (std::size_t rank = 0; rank < ranks(); ++rank) {
      const double busy = ranks_[rank].all_seconds;
      report_.per_rank[rank].busy_seconds = busy;
      report_.wait_seconds += std::max(0.0, ended_ - shared_out_ - busy);
      distributed.launches += ranks_[rank].launches;
    }
    distributed.report = report_;
    return distributed;
  }

  double build_seconds() const {
    std::optional<double> seconds;
    for (const auto& rank : ranks_)
      if (rank.build_seconds)
        seconds = !seconds                        ? *rank.build_seconds
                  : work_.cutting == Cutting::own ? std::max(*seconds, *rank.build_seconds)
                                                  : std::min(*seconds, *rank.build_seconds);
    return std::min(seconds.value_or(0), now());
  }

  Group& group_;
  const Work& work_;
  const std::uint32_t run_number_;
  const Stopwatch since_begin_;
  Mailbox own_;
  std::vector<Rank> ranks_;
  std::optional<RangeQueue> queue_;
  cluster::Report report_;
  std::string last_failure_;
  std::uint64_t bytes_before_ = 0;
  double last_message_ = 0;
  double shared_out_ = 0;
  double ended_ = 0;
  bool has_issued_ = false;
  std::exception_ptr own_error_;  // of this rank's worker
  std::thread worker_;
};

}  // namespace

Distributed distribute(Group& group, const Work& work) {
  const TimedPart computing(TimePart::compute);
  return Distribution(group, work).run();
}

void add_report(cluster::Report& whole, const cluster::Report& part) {
  whole.requests += part.requests;
  whole.duplicated += part.duplicated;
  whole.wait_seconds += part.wait_seconds;
  whole.bytes += part.bytes;
  for (std::size_t rank = 0; rank < whole.per_rank.size(); ++rank) {
    auto& own = whole.per_rank[rank];
    const auto& other = part.per_rank[rank];
    own.busy_seconds += other.busy_seconds;
    own.items += other.items;
    for (const auto& failure : other.failures)
      if (std::find(own.failures.begin(), own.failures.end(), failure) == own.failures.end())
        own.failures.push_back(failure);
  }
}

cluster::Report report_of_one(Group& group, std::string reason) {
  cluster::Report report;
  report.library = group.transport().library();
  report.ranks = static_cast<std::uint64_t>(group.transport().ranks());
  report.alone = std::move(reason);
  return report;
}

}  // namespace clopt::group
