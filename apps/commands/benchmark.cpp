#include "benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clopt::apps {

Json Sample::mean() const {
  if (figures_.empty()) return nullptr;
  return std::accumulate(figures_.begin(), figures_.end(), 0.0) / static_cast<double>(figures_.size());
}

Json Sample::deviation() const {
  if (figures_.size() < 2) return nullptr;
  const double middle = mean().get<double>();
  double squares = 0;
  for (const double each : figures_) squares += (each - middle) * (each - middle);
  return std::sqrt(squares / static_cast<double>(figures_.size() - 1));
}

Json Sample::least() const {
  return figures_.empty() ? Json(nullptr) : Json(*std::min_element(figures_.begin(), figures_.end()));
}

Sample repeat(const BenchmarkOptions& bench, std::uint32_t usual,
              const std::function<std::optional<double>(std::uint32_t)>& run) {
  Sample sample;
  const Stopwatch watch;
  for (std::uint32_t number = 0; number < bench.runs.value_or(usual); ++number) {
    if (!bench.runs && number > 0 && watch.seconds() > bench.seconds_of_a_figure()) break;
    const auto figure = run(number);
    if (!figure) return {};
    sample.add(*figure);
  }
  return sample;
}

void set_figures(BenchmarkRow& row, const Sample& sample, const Json& paper) {
  row["mean"] = sample.mean();
  row["deviation"] = sample.deviation();
  row["runs"] = sample.runs();
  row["paper"] = paper;
  row["ratio"] = ratio(row["mean"], paper);
}

std::vector<BenchmarkColumn> with_figures(std::vector<BenchmarkColumn> first, BenchmarkColumn::Kind kind,
                                          std::optional<BenchmarkColumn::Kind> paper_kind) {
  using Kind = BenchmarkColumn::Kind;
  first.insert(first.end(), {{"mean", "mean", kind, 10},
                             {"deviation", "deviation", kind, 10},
                             {"runs", "runs", Kind::count, 5},
                             {"paper", "paper", paper_kind.value_or(kind), 13},
                             {"ratio", "here/paper", Kind::ratio, 10},
                             {"note", "note", Kind::text, 24}});
  return first;
}

std::string BenchmarkTable::paper() const {
  for (const char* kind : {"table-", "figure-", "section-"})
    if (name.starts_with(kind)) {
      auto words = name;
      words[words.find('-')] = ' ';
      return words;
    }
  return {};
}

}  // namespace clopt::apps
