/// \file
/// Runs within a run: they share its limit of time, its stop token and its progress callback.
#pragma once

#include <clopt/run.hpp>

#include <algorithm>

namespace clopt {

/// The control of a run within the one that \p outer watches. A progress callback that returns false ends both.
inline RunControl nested_control(const RunControl& control, const Watch& outer) {
  auto nested = control;
  if (control.time_limit) nested.time_limit = std::max(0.0, *control.time_limit - outer.seconds());
  if (control.progress)
    nested.progress = [&outer](const Progress& progress) {
      outer.report(progress.phase, progress.done, progress.best, progress.best_point);
      return !outer.interrupted();
    };
  return nested;
}

}  // namespace clopt
