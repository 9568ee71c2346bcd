#include "run_files.hpp"

#include <clopt/files.hpp>

namespace clopt::apps {
namespace {

constexpr const char* plot_array = "program.plot";

}  // namespace

RunFiles::RunFiles(const RunOptions& options, const Json& parameters, const std::shared_ptr<const Checkpoint>& resumed)
    : options_(&options), resumed_(&resumed) {
  if (!options.checkpoint) return;
  checkpoint_ = std::make_shared<CheckpointWriter>(*options.checkpoint, run_description(parameters, options));
  checkpoint_->set_additions([this](CheckpointState& state) {
    // A run that goes on from the checkpoint expects the rows before it.
    flush();
    if (additions_) additions_(state);
    if (!plot_) return;
    plot_numbers_ = plot_->numbers();
    state.add(plot_array, plot_numbers_);
  });
}

void RunFiles::begin_statistics(std::vector<std::string> columns, std::optional<std::uint64_t> kept) {
  if (options_->statistics) statistics_.emplace(*options_->statistics, std::move(columns), kept);
}

void RunFiles::begin_plot(const std::string& title, const std::string& y_title,
                          const std::vector<std::string>& curves) {
  if (!options_->plot) return;
  plot_.emplace(title, "generation", y_title);
  for (const auto& curve : curves) plot_->curve(curve);
  const auto& resumed = *resumed_;
  if (resumed && resumed->has(plot_array) && !plot_->restore(resumed->array<double>(plot_array)))
    resumed->refuse("its picture is none");
  if (options_->target) plot_->mark("target", *options_->target);
}

void RunFiles::add_row(const std::vector<CsvWriter::Field>& row) {
  if (!statistics_) return;
  const std::lock_guard lock(statistics_mutex_);
  statistics_->add_later(row);
}

void RunFiles::flush() {
  if (!statistics_) return;
  const std::lock_guard lock(statistics_mutex_);
  statistics_->flush();
}

void RunFiles::add_points(std::uint64_t generation, const std::vector<double>& values) {
  if (!plot_) return;
  for (std::size_t curve = 0; curve < values.size(); ++curve)
    plot_->add(curve, static_cast<double>(generation), values[curve]);
}

std::vector<std::string> RunFiles::finish() {
  std::vector<std::string> failures;
  if (checkpoint_) failures.push_back(checkpoint_->failure());
  if (statistics_) {
    statistics_->finish();
    failures.push_back(statistics_->failure());
  }
  if (plot_) failures.push_back(write_file(*options_->plot, plot_->draw().str()));
  return failures;
}

}  // namespace clopt::apps
