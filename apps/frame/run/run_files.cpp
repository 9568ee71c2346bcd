#include "run_files.hpp"

#include <clopt/detail/files.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clopt::apps {
namespace {

constexpr const char* plot_array = "program.plot";

}  // namespace

void RunFiles::begin_checkpoint(const Json& parameters, const FieldTable& fields) {
  const auto limits = limits_json(fields);
  if (limits.contains("target")) target_ = limits["target"].get<double>();
  if (options_->checkpoint.empty()) return;
  checkpoint_ = std::make_shared<CheckpointWriter>(options_->checkpoint, run_description(parameters, limits));
  checkpoint_->set_additions([this](Record& state) {
    // A run that resumes from the checkpoint expects the rows before it.
    flush();
    if (additions_) additions_(state);
    if (plots_.empty()) return;
    state.add(plot_array, numbers_of_plots());
  });
}

void RunFiles::begin_statistics(std::vector<std::string> columns) {
  if (!options_->statistics.empty())
    statistics_.emplace(options_->statistics, std::move(columns), resumed_generation(*resumed_));
}

void RunFiles::begin_plot(const std::string& title, const std::string& y_title, const std::vector<std::string>& curves,
                          std::size_t parts, const std::string& part) {
  if (options_->plot.empty()) return;
  const auto shown = std::min(parts, most_plots);
  title_ = shown < parts ? fmt::format("{}; the first {} of {}", title, shown, parts) : title;
  for (std::size_t i = 0; i < shown; ++i) {
    auto& plot = plots_.emplace_back(parts == 1 ? title : fmt::format("{} {}", part, i), "generation", y_title);
    for (const auto& curve : curves) plot.curve(curve);
  }
  const auto& resumed = *resumed_;
  if (resumed && resumed->has(plot_array) && !restore_plots(resumed->array<double>(plot_array)))
    resumed->refuse("the points of its plot are invalid");
  if (!target_) return;
  for (auto& plot : plots_) plot.mark("target", *target_);
}

void RunFiles::begin_plot_of_runs(const std::string& title, const std::string& y_title, std::uint64_t seed,
                                  std::uint64_t runs) {
  curves_ = static_cast<std::size_t>(std::min(runs, most_curves));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < curves_; ++i) names.push_back(fmt::format("seed {}", seed + i));
  begin_plot(curves_ < runs ? fmt::format("{}; the first {} of {} runs", title, curves_, runs) : title, y_title, names);
}

void RunFiles::add_point_of_run(std::uint64_t generation, double value) {
  if (!plots_.empty() && run_ < curves_) plots_[0].add(run_, static_cast<double>(generation), value);
}

// Those of one plot alone, and else each behind their number.
std::vector<double> RunFiles::numbers_of_plots() const {
  if (plots_.size() == 1) return plots_[0].numbers();
  std::vector<double> all;
  for (const auto& plot : plots_) {
    const auto numbers = plot.numbers();
    all.push_back(static_cast<double>(numbers.size()));
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

bool RunFiles::restore_plots(const std::vector<double>& numbers) {
  if (plots_.size() == 1) return plots_[0].restore(numbers);
  std::size_t at = 0;
  for (auto& plot : plots_) {
    if (at == numbers.size()) return false;
    const double count = numbers[at++];
    if (!(count >= 0 && count <= static_cast<double>(numbers.size() - at))) return false;
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(at);
    if (!plot.restore({first, first + static_cast<std::ptrdiff_t>(count)})) return false;
    at += static_cast<std::size_t>(count);
  }
  return at == numbers.size();
}

void RunFiles::add_row(const std::vector<CsvWriter::Field>& row) {
  if (!statistics_) return;
  const std::lock_guard lock(statistics_mutex_);
  statistics_->add_later(row);
}

std::vector<std::string> RunFiles::flush() {
  if (!statistics_) return {};
  const std::lock_guard lock(statistics_mutex_);
  statistics_->flush();
  return {statistics_->failure()};
}

void RunFiles::add_points(std::uint64_t generation, const std::vector<double>& values, std::size_t part) {
  if (part >= plots_.size()) return;
  for (std::size_t curve = 0; curve < values.size(); ++curve)
    plots_[part].add(curve, static_cast<double>(generation), values[curve]);
}

std::vector<std::string> RunFiles::finish() {
  std::vector<std::string> failures;
  if (checkpoint_) failures.push_back(checkpoint_->failure());
  if (statistics_) {
    statistics_->finish();
    failures.push_back(statistics_->failure());
  }
  if (!plots_.empty()) {
    std::vector<const LinePlot*> plots;
    for (const auto& plot : plots_) plots.push_back(&plot);
    const double room = beside_ ? LinePlot::draw_height : 0;
    auto picture = plots.size() == 1 ? plots_[0].draw(room) : LinePlot::draw_side_by_side(title_, plots, room);
    if (beside_) beside_(picture, picture.width() - room);
    failures.push_back(write_plot(*options_, picture));
  }
  return failures;
}

std::string write_plot(const RunOptions& run, const Svg& picture) {
  return write_file(run.plot, picture.str(run.plot_background == "none" ? Background::none : Background::white));
}

}  // namespace clopt::apps
