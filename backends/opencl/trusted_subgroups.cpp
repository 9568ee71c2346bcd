#include "trusted_subgroups.hpp"

#include "subgroups.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace clopt::opencl {
namespace {

// Whether this thread tries sub-groups, by kernels.
thread_local bool is_trying = false;

struct Trying {
  bool before = std::exchange(is_trying, true);
  ~Trying() { is_trying = before; }
};

}  // namespace

void TrustedSubgroups::trust(const Subgroup& subgroup, std::function<Subgroup()> find, bool now) {
  const std::lock_guard lock(mutex_);
  trusted_ = subgroup;
  trial_ = std::async(now ? std::launch::async : std::launch::deferred, [find = std::move(find)] {
             const Trying mark;
             return find();
           }).share();
  is_open_ = true;
}

void TrustedSubgroups::leave() {
  const std::lock_guard lock(mutex_);
  if (trial_.valid() && trial_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) trial_.wait();
}

void TrustedSubgroups::settle() {
  if (is_trying) return;
  const std::lock_guard lock(mutex_);
  if (!is_open_) return;
  const auto found = trial_.get();
  // Every later launch is refused, too.
  if (text_of(found) != text_of(trusted_)) {
    device_->has_failed = true;
    throw DeviceError(
        fmt::format("the sub-groups of {} do not work, on which its kernels were built before they were tried; run it "
                    "again: it is remembered, and others are used",
                    device_->text));
  }
  is_open_ = false;
}

}  // namespace clopt::opencl
