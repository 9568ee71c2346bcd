/// \file
/// What earlier runs have shown of where runs like them are quicker.
#pragma once

#include <clopt/detail/cache.hpp>
#include <support/threads/process_mutex.hpp>

#include <map>
#include <optional>
#include <string>

namespace clopt {

/// Where runs like one begin.
enum class Start { unknown, processor, accelerator };

/// What is known of runs of the same kind and size; seconds of a whole run, 0 where they are unknown.
struct KnownRun {
  Start start = Start::unknown;
  double processor = 0;
  double accelerator = 0;
};

/// Kept in the process, and in the cache from process to process.
class KnownRuns {
 public:
  static KnownRuns& instance();
  /// \param cache must outlive the object.
  explicit KnownRuns(const Cache& cache) : cache_(cache) {}

  KnownRun find(const std::string& likeness, bool in_cache);
  /// Short runs are of no use to later processes.
  void keep(const std::string& likeness, const KnownRun& known, bool in_cache);
  /// Seconds that it takes to open the accelerator: what it took last.
  double opening_seconds();
  void keep_opening(double seconds);

 private:
  const Cache& cache_;
  ProcessMutex mutex_{Holding::alone};
  std::map<std::string, KnownRun> runs_;
  std::optional<double> opening_seconds_;
};

}  // namespace clopt
