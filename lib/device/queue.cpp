#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <support/threads/process_mutex.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>

namespace clopt {
namespace {

// What goes through the host's second-level cache: then one copy more costs little beside the transfer.
constexpr std::size_t most_staged_bytes = std::size_t{2} << 20;
constexpr std::size_t fewest_staged_bytes = std::size_t{4} << 10;
// Transfers that are kept before those that are done are looked for, and before the older ones are waited for.
constexpr std::size_t few_pending = 8;
constexpr std::size_t most_pending = 1024;

// Memory that a device may use for as long as the process lives: freeing it could let the device write into what is
// allocated next.
void abandon(const std::shared_ptr<const void>& memory) noexcept {
  try {
    static auto& mutex = *new ProcessMutex(Holding::alone);
    static auto* const abandoned = new std::deque<std::shared_ptr<const void>>;
    const std::lock_guard lock(mutex);
    abandoned->push_back(memory);
  } catch (...) {
    // There is no memory to note it: its last owner is one that is never destroyed.
    union Owner {
      std::shared_ptr<const void> memory;
      ~Owner() {}  // NOLINT(modernize-use-equals-default): that would be deleted
    } const owner{memory};
  }
}

bool is_done(const std::optional<Event>& event) noexcept {
  try {
    return event && event->done();
  } catch (...) {
    return false;
  }
}

}  // namespace

void Queue::require_own(const Memory& memory) const {
  if (memory.device() != device_.get())
    throw InvalidInput(fmt::format("the buffer '{}' is of {}, and this queue of {}: allocate it there, or copy it",
                                   memory.name(), memory.device()->label, device_->label));
}

void Queue::add_first_launch(double seconds) {
  if (!(seconds > 0)) return;
  device_->first_launch_seconds.fetch_add(seconds);
  RunTimes::recount(TimePart::build, seconds);
}

void Queue::check(const Memory& memory, std::size_t size, std::size_t first, std::size_t count,
                  const char* what) const {
  require_own(memory);
  if (first > size || count > size - first)
    throw InvalidInput(fmt::format("cannot {} {} elements from element {} on of the buffer '{}', which has {}", what,
                                   count, first, memory.name(), size));
}

Queue::~Queue() {
  release_done();
  for (const auto& pending : pending_) abandon(pending.memory);
}

void Queue::finish() {
  do_finish();
  release_all();
}

void Queue::drain() noexcept {
  try {
    finish();
    return;
  } catch (...) {
    // The thread that waited for the work got the error.
  }
  for (const auto& pending : pending_) try {
      if (pending.event) pending.event->wait();
    } catch (...) {
      // It may have ended by failing: then it is done.
    }
}

// All that was given before something that is done is done as well.
void Queue::release_done() {
  const auto last =
      std::find_if(pending_.rbegin(), pending_.rend(), [](const Pending& pending) { return is_done(pending.event); });
  pending_.erase(pending_.begin(), last.base());
}

// Some drivers report a command as complete only after a wait for it.
template <class Begin>
Event Queue::keep(const std::shared_ptr<const void>& memory, const Begin& begin) {
  if (transfers_are_calls_) return begin();
  if (pending_.size() >= release_at_) {
    release_done();
    if (const auto middle = pending_.begin() + static_cast<std::ptrdiff_t>(pending_.size() / 2);
        pending_.size() >= most_pending && middle->event) {
      middle->event->wait();
      pending_.erase(pending_.begin(), middle + 1);
    }
    release_at_ = std::max(few_pending, 2 * pending_.size());
  }
  // Noted first: whatever fails from here on, the memory stays.
  const auto place = pending_.size();
  pending_.push_back({memory, std::nullopt});
  auto event = begin();
  pending_[place].event = event;
  return event;
}

// Memory that no transfer uses: else what failed has it still.
const std::shared_ptr<std::byte[]>& Queue::staging(std::size_t bytes) {
  if (!staging_ || staging_.use_count() > 1 || staging_bytes_ < bytes) {
    staging_bytes_ = std::max(bytes, fewest_staged_bytes);
    staging_ = std::shared_ptr<std::byte[]>(new std::byte[staging_bytes_]);
  }
  return staging_;
}

void Queue::write_staged(Memory& to, std::size_t offset, const void* from, std::size_t bytes) {
  if (transfers_are_calls_) {
    if (bytes > 0) do_write(to, offset, from, bytes).wait();
    return;
  }
  for (std::size_t done = 0; done < bytes; done += most_staged_bytes) {
    const auto part = std::min(bytes - done, most_staged_bytes);
    const auto& memory = staging(part);
    std::memcpy(memory.get(), static_cast<const std::byte*>(from) + done, part);
    keep(memory, [&] { return do_write(to, offset + done, memory.get(), part); }).wait();
    release_all();
  }
}

Event Queue::write_copied(Memory& to, std::size_t offset, const void* from, std::size_t bytes) {
  if (bytes == 0) return {};
  if (transfers_are_calls_) return do_write(to, offset, from, bytes);
  const std::shared_ptr<std::byte[]> memory(new std::byte[bytes]);
  std::memcpy(memory.get(), from, bytes);
  return write_shared(to, offset, memory.get(), bytes, memory);
}

Event Queue::write_shared(Memory& to, std::size_t offset, const void* from, std::size_t bytes,
                          const std::shared_ptr<const void>& owner) {
  if (bytes == 0) return {};
  return keep(owner, [&] { return do_write(to, offset, from, bytes); });
}

void Queue::read_staged(Memory& from, std::size_t offset, void* to, std::size_t bytes) {
  if (transfers_are_calls_) {
    if (bytes > 0) do_read(from, offset, to, bytes).wait();
    return;
  }
  for (std::size_t done = 0; done < bytes; done += most_staged_bytes) {
    const auto part = std::min(bytes - done, most_staged_bytes);
    const auto& memory = staging(part);
    keep(memory, [&] { return do_read(from, offset + done, memory.get(), part); }).wait();
    release_all();
    std::memcpy(static_cast<std::byte*>(to) + done, memory.get(), part);
  }
}

Event Queue::read_shared(Memory& from, std::size_t offset, void* to, std::size_t bytes,
                         const std::shared_ptr<const void>& owner) {
  if (bytes == 0) return {};
  return keep(owner, [&] { return do_read(from, offset, to, bytes); });
}

}  // namespace clopt
