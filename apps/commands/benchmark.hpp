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
  std::optional<double> time_limit;   ///< seconds for each run; none: usual_time_limit, or what a table needs
  bool full = false;                  ///< whether to measure every size of the paper
  std::optional<std::uint32_t> runs;  ///< of each figure; none: the paper's, as far as these take little time
  std::stop_token stop;               ///< asked for between runs and within them

  static constexpr double usual_time_limit = 10;

  /// Controls of one run. \param needed seconds that it may take where the user has set no limit. \throws
  /// BenchmarkStopped.
  RunControl control(double needed = usual_time_limit) const {
    if (stop.stop_requested()) throw BenchmarkStopped();
    RunControl control;
    control.stop = stop;
    control.time_limit = limit(needed);
    return control;
  }
  double limit(double needed = usual_time_limit) const { return time_limit.value_or(needed); }
  /// Seconds after which no other run of a figure begins where `runs` is not given.
  double seconds_of_a_figure() const { return full ? 60 : 0.3; }
};

/// A line of a table: fields in the order of the table's columns. A number that was not measured is null. Where the
/// work has not ended, `ended` is false.
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

/// The same figure of several runs.
class Sample {
 public:
  void add(double figure) { figures_.push_back(figure); }
  std::size_t runs() const { return figures_.size(); }
  Json mean() const;       ///< null without runs
  Json deviation() const;  ///< of a sample (n - 1); null below two runs
  Json least() const;

 private:
  std::vector<double> figures_;
};

/// Repeats a run. \param usual how often the paper does. \param run gets the number of the run, from 0, and returns its
/// figure, or none where it did not end, which is the last one. \returns the figures; none where a run did not end.
Sample repeat(const BenchmarkOptions& bench, std::uint32_t usual,
              const std::function<std::optional<double>(std::uint32_t)>& run);

/// Sets `mean`, `deviation` and `runs` of a sample, `paper`, and `ratio`, the mean over the paper's figure.
void set_figures(BenchmarkRow& row, const Sample& sample, const Json& paper);

/// How a field is shown to people.
struct BenchmarkColumn {
  enum class Kind { text, seconds, microseconds, rate, ratio, bytes, count, number, part };
  std::string field;
  std::string title;
  Kind kind = Kind::text;
  int width = 12;
};

/// \p first, and the columns of what set_figures() sets, with a note. \param kind of mean and deviation; \param
/// paper_kind of the paper's figure; none: the same.
std::vector<BenchmarkColumn> with_figures(std::vector<BenchmarkColumn> first, BenchmarkColumn::Kind kind,
                                          std::optional<BenchmarkColumn::Kind> paper_kind = {});

/// What a report draws of a table: a field over another one, a curve for each value of some fields, and the paper's.
struct BenchmarkPicture {
  std::string x;
  std::string x_title;
  std::string y;  ///< the field that was measured; the paper's is `paper`
  std::string y_title;
  std::vector<std::string> curves{};  ///< fields whose values distinguish curves
};

/// A table of a solver.
struct BenchmarkTable {
  std::string name;                    ///< of --table: "table-6.1", "figure-5", or a word where no paper has it
  std::string caption;                 ///< one line; of a paper's table the paper's
  double seconds = 0;                  ///< that it takes in small on two cores, at most about
  std::uint32_t runs = 1;              ///< of a figure, as the paper has them
  std::vector<std::string> aliases{};  ///< earlier names; several tables may have the same one
  std::vector<BenchmarkColumn> columns;
  std::function<void(const BenchmarkOptions& bench, const AddRow& add)> run;  ///< measures
  std::optional<BenchmarkPicture> picture{};
  std::vector<std::string> remarks{};  ///< what contradicts the paper, or cannot be read of it, and why; a line each

  /// As the paper calls it, "table 6.1"; empty where no paper has it.
  std::string paper() const;
};

}  // namespace clopt::apps
