/// \file
/// Runs within a run: they share its limit of time, its stop token and its progress callback.
#pragma once

#include <clopt/run.hpp>

#include <algorithm>
#include <optional>

namespace clopt {

/// The control of a run within the one that \p outer watches. A progress callback that returns false ends both.
/// \param is_first whether nothing was evaluated before it, so that its evaluations are all.
inline RunControl nested_control(const RunControl& control, const Watch& outer, bool is_first = false) {
  auto nested = control;
  if (control.time_limit) nested.time_limit = std::max(0.0, *control.time_limit - outer.seconds());
  if (control.progress)
    nested.progress = [&outer, is_first](const Progress& progress) {
      outer.report(progress.phase, progress.done, progress.best, progress.best_point,
                   is_first ? progress.evaluations : std::nullopt);
      return !outer.interrupted();
    };
  return nested;
}

}  // namespace clopt
