#include "team.hpp"

#include <algorithm>

namespace clopt::group {
namespace {

// Once the run is interrupted, what all ranks may take to end together: the launcher kills them after a second.
constexpr double shutdown_timeout = 0.3;

}  // namespace

Ring ring_of(Mailbox& mailbox, const std::vector<TeamMember>& members, std::size_t place) {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(members.size());
  for (const auto& member : members) ranks.push_back(member.rank);
  return {mailbox, std::move(ranks), place};
}

bool KeptProgress::keep(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  phase_ = progress.phase;
  progress_ = progress;
  point_.assign(progress.best_point.begin(), progress.best_point.end());
  return true;
}

void KeptProgress::report(const Watch& watch) const {
  if (watch.interrupted() || !watch.report_due()) return;
  std::string phase;
  std::vector<double> point;
  std::optional<Progress> progress;
  {
    const std::lock_guard lock(mutex_);
    phase = phase_;
    point = point_;
    progress = progress_;
  }
  if (progress) watch.report(phase, progress->done, progress->best, point, progress->evaluations);
}

Team::Team(Group& group, std::size_t most, const Watch& watch) : group_(group), watch_(watch), most_(most) {
  for (std::uint32_t rank = 0; rank < static_cast<std::uint32_t>(group.ranks()); ++rank) able_.push_back({rank, 0});
}

Distributed Team::run(const TeamWork& work) {
  for (;;) try {
      return attempt(work);
    } catch (const Failed& failed) {
      continue_without(failed);
    }
}

// The run itself sends a limit of time, and at first an interrupt, to all, so that all end in the same generation.
Distributed Team::attempt(const TeamWork& work) {
  interrupted_.reset();
  members_.assign(able_.begin(), able_.begin() + static_cast<std::ptrdiff_t>(std::min(able_.size(), most_)));
  work.begin();
  Work ranges{.solver = work.worker, .message = work.message(members_)};
  ranges.cutting = Cutting::own;
  ranges.ranges.resize(static_cast<std::size_t>(group_.ranks()));
  for (std::size_t place = 0; place < members_.size(); ++place) ranges.ranges[members_[place].rank] = {0, place, 1};
  ranges.accept = [&](const Range& range, ByteReader message) {
    auto end = message.take<PartOutcome>();
    const auto place = static_cast<std::size_t>(range.first);
    if (end.kind == PartOutcome::Kind::failed) throw Failed{place, std::move(end)};
    if (end.kind == PartOutcome::Kind::done) work.accept(place, ByteReader(end.result));
  };
  if (work.details)
    ranges.details = [&](const Range& range) { return work.details(static_cast<std::size_t>(range.first)); };
  if (work.progress)
    ranges.progress = [&](const Range& range, ByteReader message) {
      work.progress(static_cast<std::size_t>(range.first), message);
    };
  ranges.attend = work.attend;
  ranges.expired = [this] { return shutdown_timed_out(); };
  ranges.interrupted = [this] { return watch_.interrupted(); };
  ranges.local = [&](Mailbox& mailbox) { work.local(members_, mailbox); };
  return distribute(group_, ranges);
}

void Team::continue_without(const Failed& failed) {
  const auto member = able_.begin() + static_cast<std::ptrdiff_t>(failed.place);
  losses_.push_back({member->rank, failed.end.failure});
  if (failed.end.has_other_device)
    member->failed |= std::uint64_t{1} << failed.end.device;
  else if (member->rank == 0)
    throw DeviceError(failed.end.failure);
  else
    able_.erase(member);
}

bool Team::shutdown_timed_out() {
  if (!watch_.interrupted()) return false;
  if (!interrupted_) interrupted_.emplace();
  return interrupted_->seconds() > shutdown_timeout;
}

void Team::note_losses(std::size_t place, const std::vector<std::string>& losses) {
  for (const auto& what : losses) losses_.push_back({members_[place].rank, what});
}

void Team::report_losses(std::vector<std::string>& failures, cluster::Report& report) const {
  report.per_rank.front().failures = failures;
  for (const auto& loss : losses_) {
    report.per_rank[loss.rank].failures.push_back(loss.what);
    failures.push_back(fmt::format("{}: {}", group_.name_of(loss.rank), loss.what));
  }
}

}  // namespace clopt::group
