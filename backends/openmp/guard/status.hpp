/// \file
/// What clopt-guard's own exit statuses mean; others are the command's.
#pragma once

namespace clopt::openmp {

struct GuardStatus {
  static constexpr int out_of_time = 123;
  static constexpr int broken = 124;      ///< the guard itself failed
  static constexpr int no_command = 127;  ///< the command cannot be started
};

}  // namespace clopt::openmp
