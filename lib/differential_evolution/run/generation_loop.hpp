/// \file
/// The generation loop.
#pragma once

#include <support/stopwatch.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include <differential_evolution/launch/pacing.hpp>
#include "run_state.hpp"
#include "slots.hpp"

namespace clopt::differential_evolution {

/// Observes a generation loop: statistics, progress, checkpoints, messages to other ranks. Pieces are numbered in the
/// order in which they were added to the loop.
struct GenerationObserver {
  using Work = std::function<void(Batch&)>;

  /// Whether the loop ends before its last generation.
  std::function<bool()> is_over;
  /// All pieces have reached a generation.
  std::function<void(std::uint32_t generation)> reached;

  // What follows may be empty.

  /// What the next launch keeps of a piece's generations.
  std::function<HistoryKind(std::size_t piece, const Batch&)> kept{};
  /// A piece has run the generations after \p before up to \p last. \returns the last one in which a problem ran.
  std::function<std::uint32_t(std::size_t piece, Batch&, std::uint32_t before, std::uint32_t last)> take_launch{};
  /// Whether the next launch begins before show() and reached() of the last one.
  std::function<bool()> works_ahead{};
  /// Shows the generations of a launch that all pieces have ended.
  std::function<void(std::uint32_t before, std::uint32_t last)> show{};
  /// Continues on another device with a piece that has lost its device at a generation. Empty: the failure is thrown.
  std::function<void(std::size_t piece, std::uint32_t generation, const std::exception_ptr& failure, const Work&)>
      recover{};
};

/// Runs the generations of pieces that advance together, launch by launch, each in a slot of its own.
class GenerationLoop {
 public:
  GenerationLoop(const Plan& plan, GenerationObserver observer) : plan_(plan), observer_(std::move(observer)) {}

  /// Adds a piece whose vectors are in a slot.
  void add(Slot& slot, const Piece& piece);
  /// Runs the generations after one, at most up to \p last. \returns the last one that a problem ran.
  std::uint32_t run(std::uint32_t generation, std::uint32_t last);

 private:
  struct Member {
    Slot* slot;
    Pacing pacing;
    std::exception_ptr failure;  ///< of the device, while its next launch was begun
  };

  HistoryKind kept(std::size_t n, const Batch& batch) const {
    return observer_.kept ? observer_.kept(n, batch) : HistoryKind::nothing;
  }
  std::uint32_t next_step(std::uint32_t generation, std::uint32_t last);
  std::uint32_t begin_step(std::uint32_t generation, std::uint32_t last);
  void begin_launch(std::size_t n, Batch& batch, std::uint32_t before, std::uint32_t step);
  std::uint32_t await_step(std::uint32_t before, std::uint32_t step);
  std::uint32_t await_launch(std::size_t n, Batch& batch, std::uint32_t before);

  const Plan& plan_;
  GenerationObserver observer_;
  std::vector<Member> members_;
  Stopwatch since_launch_;
  double seconds_to_show_ = 0;  ///< of the last launch, while the next one was under way
};

}  // namespace clopt::differential_evolution
