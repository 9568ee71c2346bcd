#include "local_group.hpp"

#include <clopt/detail/background.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "serving.hpp"

namespace clopt::group {

/// A member's end: what others send waits here until its thread takes it.
class LocalTransport : public Transport {
 public:
  LocalTransport(std::vector<std::unique_ptr<LocalTransport>>& all, int rank) : all_(all), rank_(rank) {}

  int rank() const override { return rank_; }
  int ranks() const override { return static_cast<int>(all_.size()); }
  std::string library() const override { return "threads"; }
  bool sends_from_all_threads() const override { return true; }
  bool has_sent_all() const override { return true; }
  std::uint64_t bytes() const override { return bytes_; }
  void finalise() override {}

  void send(int rank, Bytes message) override {
    bytes_ += message.size();
    all_[static_cast<std::size_t>(rank)]->put(rank_, std::move(message));
  }

  bool poll(const std::function<void(int rank, Bytes message)>& take) override {
    std::deque<Message> come;
    {
      const std::lock_guard lock(mutex_);
      come.swap(come_);
    }
    for (auto& [rank, message] : come) {
      bytes_ += message.size();
      take(rank, std::move(message));
    }
    return !come.empty();
  }

  void take_notes_by(const std::function<bool(std::span<const std::byte>)>& take) override {
    const std::lock_guard lock(notes_mutex_);
    take_note_ = take;
  }

  void wait(std::chrono::microseconds longest) override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, longest, [this] { return !come_.empty(); });
  }

 private:
  using Message = std::pair<int, Bytes>;

  void put(int from, Bytes message) {
    {
      const std::lock_guard lock(notes_mutex_);
      if (take_note_ && take_note_(message)) return;
    }
    {
      const std::lock_guard lock(mutex_);
      come_.emplace_back(from, std::move(message));
    }
    changed_.notify_one();
  }

  std::vector<std::unique_ptr<LocalTransport>>& all_;
  const int rank_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::mutex notes_mutex_;
  std::function<bool(std::span<const std::byte>)> take_note_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> come_;
};

// What outlives the group where a member does.
struct LocalGroup::Members {
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<std::unique_ptr<LocalTransport>> transports;
};

LocalGroup::LocalGroup(std::span<const std::shared_ptr<Device>> devices) : members_(std::make_shared<Members>()) {
  auto& transports = members_->transports;
  members_->devices.assign(devices.begin(), devices.end());
  for (std::size_t rank = 0; rank < devices.size(); ++rank)
    transports.push_back(std::make_unique<LocalTransport>(transports, static_cast<int>(rank)));
  set_members(std::vector<std::string>(devices.size()));
  try {
    for (std::size_t rank = 1; rank < devices.size(); ++rank, ++serving_)
      std::thread([rank, members = members_] {
        const BackgroundWork background;
        auto& transport = *members->transports[rank];
        try {
          serve_first_rank(transport, [&] { return std::vector{members->devices[rank]}; });
        } catch (...) {
          // No memory, or no thread: the first one reports it.
          Mailbox(0, transport).send_error();
        }
      }).detach();
  } catch (...) {
    end();
    throw;
  }
}

LocalGroup::~LocalGroup() { end(); }

void LocalGroup::end() {
  const auto leave = begin_message(Kind::leave, 0).add(std::int32_t{0}).take();
  for (std::size_t rank = 1; rank <= serving_; ++rank) transport().send(static_cast<int>(rank), leave);
}

Transport& LocalGroup::transport() { return *members_->transports.front(); }

std::string LocalGroup::name_of(std::size_t rank) const {
  return fmt::format("device {} of {}", rank + 1, members_->devices.size());
}

std::vector<std::shared_ptr<Device>> alike(std::span<const std::shared_ptr<Device>> devices) {
  std::vector<std::shared_ptr<Device>> same;
  for (const auto& device : devices)
    if (device->info().kind == devices.front()->info().kind) same.push_back(device);
  return same;
}

std::string one_of(std::size_t devices, const std::string& why) {
  return fmt::format("; one of {} devices has the run: {}", devices, why);
}

std::vector<DevicePart> parts_of(std::span<const std::shared_ptr<Device>> devices, const cluster::Report& report) {
  std::uint64_t items = 0;
  for (const auto& each : report.per_rank) items += each.items;
  std::vector<DevicePart> parts;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const auto& info = devices[rank]->info();
    const auto& each = report.per_rank[rank];
    const double share = static_cast<double>(each.items) / static_cast<double>(std::max<std::uint64_t>(1, items));
    parts.push_back({info.id, info.name, share, each.busy_seconds, 0, each.failures});
  }
  return parts;
}

}  // namespace clopt::group
