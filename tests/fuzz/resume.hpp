/// \file
/// Runs that resume from hostile checkpoints. A target runs each of its cases for some generations, and keeps the
/// checkpoint. An input is a list of changes to its arrays, eight bytes or a little more each; sizes and hash are made
/// right. So an input stays what it is from version to version, and the empty one continues as usual.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "checkpoint_parts.hpp"
#include "input_file.hpp"

namespace clopt::fuzz {

/// OpenMP's device, with one thread, without a self-test.
Device& one_thread();

/// A run that a checkpoint can be made of, and that can continue.
struct ResumeCase {
  std::function<void(std::shared_ptr<CheckpointWriter> checkpoint)> begin;
  std::function<void(std::shared_ptr<const Checkpoint> checkpoint)> proceed;
};

/// Cases of a solver, each with its checkpoint.
class Resumed {
 public:
  explicit Resumed(std::vector<ResumeCase> cases);
  /// The first byte chooses the case, the rest are changes.
  void run(std::string_view input);

 private:
  std::vector<ResumeCase> cases_;
  std::vector<CheckpointParts> checkpoints_;
  InputFile file_;
};

/// A target that resumes from checkpoints of cases, which are made when it is first called.
template <std::vector<ResumeCase> (*Cases)()>
void resume(std::string_view input) {
  static Resumed resumed(Cases());
  resumed.run(input);
}

}  // namespace clopt::fuzz
