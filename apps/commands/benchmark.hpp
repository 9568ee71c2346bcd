/// \file
/// A table of `clopt bench`: what is measured, beside the figures of the paper.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <frame/output/output.hpp>

namespace clopt::apps {

/// Thrown where a table must end, since a stop was asked for.
struct BenchmarkStopped {};

/// What a table runs with.
struct BenchmarkOptions {
  std::shared_ptr<Device> device;                ///< the first of the devices
  std::vector<std::shared_ptr<Device>> devices;  ///< all selected devices, for tables that divide work among them
  DeviceOptions device_options;                  ///< the options with which they were opened
  std::uint64_t seed = 1;
  double time_limit = 10;  ///< seconds for each run
  bool full = false;       ///< whether to measure every size of the paper
  std::stop_token stop;    ///< asked for between runs and within them

  /// Controls of one run. \throws BenchmarkStopped.
  RunControl control() const {
    if (stop.stop_requested()) throw BenchmarkStopped();
    RunControl control;
    control.stop = stop;
    control.time_limit = time_limit;
    return control;
  }
};

/// A line of a table: fields in the order of the table's columns. A number that was not measured is null.
using BenchmarkRow = Json;
/// Takes a row as soon as it is complete. \throws BenchmarkStopped where it is not, since it was stopped.
using AddRow = std::function<void(const BenchmarkRow&)>;

/// A value of a row, null where there is none.
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
/// How many times as large a number is as another one; null where one of them is missing.
inline Json ratio(const Json& number, const Json& other) {
  const bool has_both = number.is_number() && other.is_number() && other.get<double>() > 0;
  return has_both ? Json(number.get<double>() / other.get<double>()) : Json(nullptr);
}

/// How a field is shown to people.
struct BenchmarkColumn {
  enum class Kind { text, seconds, rate, ratio, bytes, count };
  std::string field;
  std::string title;
  Kind kind = Kind::text;
  int width = 12;
};

/// A table of a solver.
struct BenchmarkTable {
  std::string name;     ///< of --table: the paper's section, or a word
  std::string summary;  ///< one line
  std::vector<BenchmarkColumn> columns;
  std::function<void(const BenchmarkOptions& bench, const AddRow& add)> run;  ///< measures
};

}  // namespace clopt::apps
