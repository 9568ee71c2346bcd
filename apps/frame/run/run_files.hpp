/// \file
/// The files that a run with generations writes as it goes: checkpoint, statistics and picture.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/detail/csv.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <frame/options/field_options.hpp>
#include <frame/options/run_options.hpp>
#include <pictures/svg.hpp>

namespace clopt::apps {

/// Each is there if its option was given. The picture continues with the run: the checkpoint keeps its points. A file
/// that cannot be written in the end does not end the run.
class RunFiles {
 public:
  /// \param resumed the run that is resumed. Both must outlive the object.
  RunFiles(const RunOptions& options, const std::shared_ptr<const Checkpoint>& resumed)
      : options_(&options), resumed_(&resumed) {}
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  /// Opens the checkpoint, before all else. \param parameters as for run_description(). \param fields of the solver's
  /// options, for their limits. \throws InvalidInput where it cannot be written.
  void begin_checkpoint(const Json& parameters, const FieldTable& fields);
  /// \param columns of the statistics, the first of which is the generation. \throws InvalidInput.
  void begin_statistics(std::vector<std::string> columns);
  /// \param y_title what the curves are of. \throws InvalidInput where the checkpoint has another picture.
  /// \param parts of the run that have a plot each, side by side, named by \p part and a number from 0; of more than
  /// most_plots the first ones.
  void begin_plot(const std::string& title, const std::string& y_title, const std::vector<std::string>& curves,
                  std::size_t parts = 1, const std::string& part = {});
  static constexpr std::size_t most_plots = 24;
  /// One plot with a curve for each of several runs, of more than most_curves for the first ones. \param seed of the
  /// first run.
  void begin_plot_of_runs(const std::string& title, const std::string& y_title, std::uint64_t seed, std::uint64_t runs);
  static constexpr std::uint64_t most_curves = 20;
  /// The best value so far of the run under way.
  void add_point_of_run(std::uint64_t generation, double value);
  /// From here on points are the next run's.
  void next_run() { ++run_; }
  /// Draws beside the plots, into a square of LinePlot::draw_height whose left end is at \p x, once the run is over.
  void draw_beside(std::function<void(Svg&, double x)> draw) { beside_ = std::move(draw); }
  /// Adds to each checkpoint, beside the picture.
  void keep(std::function<void(Record&)> additions) { additions_ = std::move(additions); }

  /// None where --checkpoint was not given.
  const std::shared_ptr<CheckpointWriter>& checkpoint() const { return checkpoint_; }
  /// Whether a file records the generations: where none does, the run need not stop for them.
  bool wants_generations() const { return statistics_ || !plots_.empty(); }
  /// A row of the statistics. Does nothing where none are asked for, like add_points().
  void add_row(const std::vector<CsvWriter::Field>& row);
  /// A value for each curve of a part's plot.
  void add_points(std::uint64_t generation, const std::vector<double>& values, std::size_t part = 0);

  /// Writes the rows that wait. Any thread may call it. \returns as finish().
  std::vector<std::string> flush();
  /// Writes what is written at the end. \returns what went wrong, an empty text for what did not.
  std::vector<std::string> finish();

 private:
  std::vector<double> numbers_of_plots() const;
  bool restore_plots(const std::vector<double>& numbers);

  const RunOptions* options_;
  std::optional<double> target_;
  const std::shared_ptr<const Checkpoint>* resumed_;
  std::shared_ptr<CheckpointWriter> checkpoint_;
  std::mutex statistics_mutex_;
  std::optional<CsvWriter> statistics_;  // rows under the mutex
  std::string title_;
  std::vector<LinePlot> plots_;
  std::size_t run_ = 0;
  std::size_t curves_ = 0;
  std::function<void(Svg&, double)> beside_;
  std::function<void(Record&)> additions_;
};

/// Writes the picture of --plot, which was given. \returns why it could not be written, or an empty text.
std::string write_plot(const RunOptions& run, const Svg& picture);

}  // namespace clopt::apps
