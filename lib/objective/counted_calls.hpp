/// \file
/// Launches of several generations, each of which is a call of the caller's own function.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <clopt/error.hpp>
#include "host_objective.hpp"

namespace clopt::objective {

/// Counts the calls of a function that takes whole generations, and ends a launch between two of them where it is asked
/// to, or where a call leaves its generation by Cancelled. For one thread.
class CountedCalls {
 public:
  using IsOver = std::function<bool()>;

  /// Runs a launch. \p is_over is asked before each call but the first, and ends the launch. \returns the calls.
  template <class Launch>
  std::uint32_t count(const IsOver& is_over, const Launch& launch) {
    done_ = 0;
    has_ended_ = false;
    is_over_ = &is_over;
    const auto reset = [](CountedCalls* calls) { calls->is_over_ = nullptr; };
    const std::unique_ptr<CountedCalls, decltype(reset)> scope(this, reset);
    try {
      launch();
      has_ended_ = true;
    } catch (const LaunchEnded&) {
      // The state is as the last call left it.
    } catch (const Cancelled&) {
      // Likewise: nothing has been done with the generation.
    }
    return done_;
  }

  /// Whether the last launch came to its own end.
  bool has_ended() const { return has_ended_; }

  /// A function whose calls are counted here, as long as this lives.
  std::shared_ptr<const HostFunction> counted(const std::shared_ptr<const HostFunction>& function) {
    return std::make_shared<Counted>(std::dynamic_pointer_cast<const HostObjective>(function), *this);
  }

 private:
  /// Thrown through a launch that ends between two generations.
  struct LaunchEnded : std::exception {
    const char* what() const noexcept override { return "the launch was ended between two generations"; }
  };

  class Counted : public HostObjective {
   public:
    Counted(std::shared_ptr<const HostObjective> function, CountedCalls& calls)
        : HostObjective(function->name()), function_(std::move(function)), calls_(calls) {}
    void evaluate(std::span<const ObjectiveBatch> batches, bool double_precision) const override {
      if (calls_.done_ != 0 && calls_.is_over_ != nullptr && (*calls_.is_over_)()) throw LaunchEnded();
      function_->evaluate(batches, double_precision);
      ++calls_.done_;
    }
    bool takes_whole_generations() const override { return function_->takes_whole_generations(); }

   private:
    std::shared_ptr<const HostObjective> function_;
    CountedCalls& calls_;
  };

  const IsOver* is_over_ = nullptr;
  std::uint32_t done_ = 0;
  bool has_ended_ = false;
};

}  // namespace clopt::objective
