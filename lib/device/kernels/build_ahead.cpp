#include "build_ahead.hpp"

namespace clopt {
namespace {

thread_local BuildAhead* innermost = nullptr;

}  // namespace

BuildAhead::BuildAhead() : outer_(std::exchange(innermost, this)) {}

BuildAhead::~BuildAhead() { innermost = outer_; }

void BuildAhead::finish() {
  for (const auto& begun : kernels_) try {
      begun.kernel->finish_build();
      begun.keep();
    } catch (const BuildError& error) {
      if (begun.rethrow) begun.rethrow(error);
      throw;
    }
  kernels_.clear();
  building_.end();
}

BuildAhead* BuildAhead::current() { return innermost; }

void BuildAhead::add(std::shared_ptr<KernelBase> kernel, std::function<void()> keep) {
  kernels_.push_back({std::move(kernel), std::move(keep), {}});
}

void BuildAhead::set_failure(std::function<void(const BuildError& error)> rethrow) {
  if (!kernels_.empty()) kernels_.back().rethrow = std::move(rethrow);
}

BuildAhead::Pause::Pause() : paused_(std::exchange(innermost, nullptr)) {}
BuildAhead::Pause::~Pause() { innermost = paused_; }

}  // namespace clopt
