/// \file
/// The tables and figures of the genetic algorithm's paper, for `clopt bench --solver genetic`.
#include <clopt/devices.hpp>
#include <clopt/genetic.hpp>

#include <algorithm>
#include <map>

#include "bench_own.hpp"
#include "paper.hpp"
#include "paper_times.hpp"
#include "solver.hpp"

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;
using Kind = BenchmarkColumn::Kind;
using Numbers = std::vector<std::uint32_t>;

constexpr std::uint32_t paper_runs = 30;

/// The paper's names of granularities.
const std::map<std::string, std::string> paper_names{
    {"thread", "1-thread"}, {"group", "n-threads"}, {"hybrid", "modified warp"}, {"subgroup", "warp"}};

/// A way to carry a generation out.
struct Form {
  std::string granularity;
  std::string selection = "roulette";
  std::uint32_t group_size = 0;
  std::string of_paper = granularity;  ///< the granularity that it repeats
};
// The thesis's n-threads as it is there, and its warp of packed bits, whose lanes exchange by shuffles.
const Form own_n_threads{"gene", "roulette-walk", 0, "group"};
const Form own_warp{"subgroup", "roulette-walk"};

/// The shapes of a table or figure.
struct Selection {
  std::vector<Form> forms;
  Numbers genes{paper::genes.begin(), paper::genes.end()};
  Numbers populations{32, 64, 128};
  Numbers per_group{paper::individuals_per_group.begin(), paper::individuals_per_group.end()};
};

// Those of some numbers that small tables have, or the first one.
Numbers small(const Numbers& all, const Numbers& wanted) {
  Numbers found;
  for (const auto each : all)
    if (std::find(wanted.begin(), wanted.end(), each) != wanted.end()) found.push_back(each);
  return found.empty() ? Numbers{all.front()} : found;
}

// Calls \p work for each shape.
void for_each_shape(Selection selection, const BenchmarkOptions& bench,
                    const std::function<void(const Shape&, const std::string& of_paper)>& work) {
  if (!bench.full) {
    selection.genes = small(selection.genes, {32, 256});
    selection.populations = small(selection.populations, {32, 128});
    selection.per_group = small(selection.per_group, {1, 8});
  }
  for (const auto genes : selection.genes)
    for (const auto population : selection.populations)
      for (const auto& form : selection.forms)
        for (const auto per_group : selection.per_group)
          work({genes, population, paper::generations, form.granularity, per_group, false, form.selection,
                form.group_size},
               form.of_paper);
}

Sample seconds_of(const Shape& shape, const BenchmarkOptions& bench, Device& device, std::string& note) {
  return repeat(bench, paper_runs, [&](std::uint32_t number) -> std::optional<double> {
    const auto measured = measure_once(shape, bench, device, number);
    note = measured.note;
    return measured.result ? std::optional(measured.result->seconds.compute) : std::nullopt;
  });
}

/// The processor with one thread.
class OneThread {
 public:
  explicit OneThread(const BenchmarkOptions& bench) : bench_(bench) {
    auto options = bench.device_options;
    options.threads = 1;
    device_ = open_device("openmp:0", options);
  }
  /// Seconds of the same algorithm, an individual after the other.
  Sample sequential(const Shape& shape) { return seconds(shape, shape.granularity == "gene" ? "gene" : "thread"); }
  /// Those of our quickest form.
  Sample fastest(Shape shape) {
    shape.selection = "roulette";
    return seconds(shape, "fused");
  }
  Sample seconds(Shape shape, const std::string& granularity) {
    shape.granularity = granularity;
    const auto [place, is_new] = known_.try_emplace({shape.genes, shape.population, granularity, shape.selection});
    std::string note;
    if (is_new) place->second = seconds_of(shape, bench_, *device_, note);
    return place->second;
  }

 private:
  const BenchmarkOptions& bench_;
  std::shared_ptr<Device> device_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::string, std::string>, Sample> known_;
};

BenchmarkRow row_of(const Shape& shape, const std::string& of_paper) {
  BenchmarkRow row{{"genes", shape.genes},
                   {"population", shape.population},
                   {"granularity", shape.granularity},
                   {"selection", shape.selection}};
  const auto name = paper_names.find(of_paper);
  row["paper_name"] = name == paper_names.end() ? Json(nullptr) : Json(name->second);
  row["per_group"] = shape.per_group;
  return row;
}

const std::vector<BenchmarkColumn> columns_of_shape{{"genes", "genes", Kind::count, 6},
                                                    {"population", "population", Kind::count, 10},
                                                    {"granularity", "granularity", Kind::text, 11},
                                                    {"selection", "selection", Kind::text, 13},
                                                    {"paper_name", "in the paper", Kind::text, 13},
                                                    {"per_group", "a group", Kind::count, 7}};

// Speed-ups.

std::vector<BenchmarkColumn> columns_of_speedups() {
  auto columns = columns_of_shape;
  columns.insert(columns.end(), {{"mean", "mean", Kind::seconds, 10},
                                 {"deviation", "deviation", Kind::seconds, 10},
                                 {"runs", "runs", Kind::count, 5},
                                 {"sequential", "sequential", Kind::seconds, 10},
                                 {"speedup", "speed-up", Kind::ratio, 9},
                                 {"paper", "paper", Kind::ratio, 6},
                                 {"ratio", "here/paper", Kind::ratio, 10},
                                 {"over_fastest", "over fused", Kind::ratio, 10},
                                 {"note", "note", Kind::text, 20}});
  return columns;
}

void measure_speedups(const Selection& selection, const BenchmarkOptions& bench, const AddRow& add) {
  OneThread one_thread(bench);
  for_each_shape(selection, bench, [&](const Shape& shape, const std::string& of_paper) {
    std::string note;
    const auto sample = seconds_of(shape, bench, *bench.device, note);
    const auto figure =
        paper::figure(of_paper, shape.genes, static_cast<std::uint32_t>(shape.population), shape.per_group);
    auto row = row_of(shape, of_paper);
    set_figures(row, sample, figure ? Json(figure->speedup) : Json(nullptr));
    row["sequential"] = one_thread.sequential(shape).mean();
    row["speedup"] = ratio(row["sequential"], row["mean"]);
    row["ratio"] = ratio(row["speedup"], row["paper"]);
    row["over_fastest"] = ratio(one_thread.fastest(shape).mean(), row["mean"]);
    row["note"] = note;
    add(row);
  });
}

BenchmarkTable speedup_table(std::string name, std::string caption, double seconds, Selection selection,
                             const char* over, std::vector<std::string> remarks) {
  std::vector<std::string> curves{"granularity", "selection", "population", "per_group"};
  if (std::string_view(over) == "per_group") curves = {"granularity", "selection", "genes"};
  return {.name = std::move(name),
          .caption = std::move(caption),
          .seconds = seconds,
          .runs = paper_runs,
          .columns = columns_of_speedups(),
          .run = [selection = std::move(selection)](const BenchmarkOptions& bench,
                                                    const AddRow& add) { measure_speedups(selection, bench, add); },
          .picture = BenchmarkPicture{over, over, "speedup", "speed-up", std::move(curves)},
          .remarks = std::move(remarks)};
}

// Times.

std::vector<BenchmarkColumn> columns_of_times() {
  auto columns = with_figures(columns_of_shape, Kind::seconds);
  columns.insert(columns.end() - 2, {"paper_deviation", "its deviation", Kind::seconds, 13});
  return columns;
}

// The paper's mean and deviation, by places in its lists.
paper::Time paper_time(const paper::Times& times, const Shape& shape) {
  const auto place = [](const auto& list, std::uint64_t value) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
  };
  return times.at(place(paper::genes, shape.genes))
      .at(place(paper::individuals_per_group, shape.per_group))
      .at(place(paper::populations, shape.population));
}

void add_time(const Shape& shape, const std::string& of_paper, const Sample& sample, paper::Time paper,
              const std::string& note, const AddRow& add) {
  auto row = row_of(shape, of_paper);
  set_figures(row, sample, paper.mean / 1e3);
  row["paper_deviation"] = paper.deviation / 1e3;
  row["note"] = note;
  add(row);
}

BenchmarkTable time_table(std::string name, std::string caption, std::vector<Form> forms, const paper::Times& times,
                          std::vector<std::string> remarks) {
  return {.name = std::move(name),
          .caption = std::move(caption),
          .seconds = 6,
          .runs = paper_runs,
          .columns = columns_of_times(),
          .run =
              [forms = std::move(forms), &times](const BenchmarkOptions& bench, const AddRow& add) {
                for_each_shape({forms}, bench, [&](const Shape& shape, const std::string& of_paper) {
                  std::string note;
                  const auto sample = seconds_of(shape, bench, *bench.device, note);
                  add_time(shape, of_paper, sample, paper_time(times, shape), note, add);
                });
              },
          .picture =
              BenchmarkPicture{"population", "individuals", "mean", "seconds", {"genes", "granularity", "per_group"}},
          .remarks = std::move(remarks)};
}

void table_6_5(const BenchmarkOptions& bench, const AddRow& add) {
  OneThread one_thread(bench);
  const Selection selection{.forms = {{"gene", "roulette-walk", 0, "thread"}, {"thread"}, {"fused"}}, .per_group = {1}};
  for_each_shape(selection, bench, [&](const Shape& shape, const std::string& of_paper) {
    const auto place = [](const auto& list, std::uint64_t value) {
      return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
    };
    const auto row = place(paper::genes, shape.genes);
    const auto column = place(paper::populations, shape.population);
    const char* const note = shape.granularity == "gene"     ? "the paper's algorithm"
                             : shape.granularity == "thread" ? "packed bits, stochastic acceptance"
                                                             : "our quickest form";
    add_time(shape, of_paper, one_thread.seconds(shape, shape.granularity),
             {paper::processor_milliseconds.at(row).at(column), paper::processor_deviations.at(row).at(column)}, note,
             add);
  });
}

// Table 5.2: the stages of a generation.

const std::vector<BenchmarkColumn> columns_of_5_2{{"granularity", "granularity", Kind::text, 11},
                                                  {"selection", "selection", Kind::text, 13},
                                                  {"per_group", "a group", Kind::count, 7},
                                                  {"group_size", "items", Kind::count, 5},
                                                  {"stage", "stage", Kind::text, 12},
                                                  {"calls", "calls", Kind::count, 7},
                                                  {"mean", "mean", Kind::microseconds, 11},
                                                  {"deviation", "deviation", Kind::microseconds, 11},
                                                  {"runs", "runs", Kind::count, 5},
                                                  {"paper", "paper", Kind::microseconds, 11},
                                                  {"ratio", "here/paper", Kind::ratio, 10},
                                                  {"part", "part", Kind::part, 8},
                                                  {"paper_part", "its part", Kind::part, 8},
                                                  {"note", "note", Kind::text, 20}};

const paper::StageFigure* paper_stage(std::string_view granularity, std::string_view stage) {
  // The hybrid takes its stages from the other two (section 5.4).
  if (granularity == "hybrid") granularity = stage == "crossover" || stage == "evaluation" ? "subgroup" : "group";
  for (const auto& each : paper::stages)
    if (each.granularity == granularity && each.stage == stage) return &each;
  return nullptr;
}

void add_stages(const Form& form, std::uint32_t per_group, const BenchmarkOptions& bench, const AddRow& add) {
  const Shape shape{1024, 128, paper::generations, form.granularity, per_group, true, form.selection, form.group_size};
  std::vector<std::pair<std::string, Sample>> stages;
  double all = 0;
  std::string note;
  const auto whole = repeat(bench, paper_runs, [&](std::uint32_t number) -> std::optional<double> {
    const auto measured = measure_once(shape, bench, *bench.device, number);
    note = measured.note;
    if (!measured.result) return std::nullopt;
    for (const auto& [stage, seconds] : measured.result->stages) {
      const auto is_it = [&name = stage](const auto& each) { return each.first == name; };
      auto found = std::find_if(stages.begin(), stages.end(), is_it);
      if (found == stages.end()) found = stages.insert(stages.end(), {stage, {}});
      found->second.add(seconds / static_cast<double>(paper::generations));
      all += seconds / static_cast<double>(paper::generations);
    }
    return measured.result->seconds.compute;
  });
  const BenchmarkRow of_form{{"granularity", form.granularity},
                             {"selection", form.selection},
                             {"per_group", per_group},
                             {"group_size", form.group_size == 0 ? Json(nullptr) : Json(form.group_size)}};
  if (stages.empty()) {
    auto row = of_form;
    row["mean"] = nullptr;
    row["note"] = note.empty() ? "no stages" : note;
    add(row);
  }
  for (const auto& [stage, sample] : stages) {
    const auto* const paper = paper_stage(form.of_paper, stage);
    const auto runs = static_cast<double>(sample.runs());
    auto row = of_form;
    row["stage"] = stage;
    row["calls"] = sample.runs() * paper::generations;
    set_figures(row, sample, paper ? Json(paper->microseconds / 1e6) : Json(nullptr));
    row["part"] = ratio(sample.mean().get<double>() * runs, all);
    row["paper_part"] = paper && form.granularity != "hybrid" ? Json(paper->percent / 100) : Json(nullptr);
    row["note"] = "";
    add(row);
  }
}

void table_5_2(const BenchmarkOptions& bench, const AddRow& add) {
  // The thesis's own: a work-item a gene; a warp an individual, which also selects alone; the same of packed bits.
  add_stages(own_n_threads, usual_per_group, bench, add);
  add_stages({"gene", "roulette-walk", 32, "subgroup"}, 1, bench, add);
  add_stages(own_warp, usual_per_group, bench, add);
  for (const auto& granularity : choices_of<solver::Options>("granularity"))
    if (granularity != "auto") add_stages({granularity}, usual_per_group, bench, add);
}

const char* const of_images = "The figure is an image in the thesis, whose text has no number of it.";
const char* const of_table_5_3 = "The figure is an image in the thesis; its numbers are those of table 5.3.";

std::vector<BenchmarkTable> figures() {
  return {speedup_table("figure-5.1", "execution time of 1-thread by individuals a block", 6,
                        {.forms = {{"thread"}}, .genes = {1024}}, "per_group", {of_images}),
          speedup_table("figure-5.2", "speed-up of 1-thread by population and number of dimensions", 3,
                        {.forms = {{"thread"}}, .per_group = {32}}, "genes", {of_images}),
          speedup_table("figure-5.3", "speed-up of the implementations by the number of dimensions", 6,
                        {.forms = {{"thread"}, {"group"}, {"subgroup"}}, .populations = {32, 128}, .per_group = {8}},
                        "genes", {of_table_5_3}),
          speedup_table("figure-5.4", "speed-up of n-threads by population and individuals a block", 4,
                        {.forms = {{"group"}}, .per_group = {1, 32}}, "genes", {of_table_5_3}),
          speedup_table("figure-5.5", "speed-up with 32 individuals of 1024 dimensions by individuals a block", 6,
                        {.forms = {{"thread"}, {"group"}, {"subgroup"}}, .genes = {1024}, .populations = {32}},
                        "per_group", {of_table_5_3}),
          speedup_table("figure-5.6", "speed-up with 128 individuals by individuals a block", 6,
                        {.forms = {{"thread"}, {"group"}, {"subgroup"}}, .genes = {32, 1024}, .populations = {128}},
                        "per_group", {of_table_5_3}),
          speedup_table(
              "figure-5.7", "speed-up of the modified warp by individuals a block", 8,
              {.forms = {{"thread"}, {"group"}, {"subgroup"}, {"hybrid"}}, .genes = {32, 1024}, .populations = {128}},
              "per_group", {of_table_5_3})};
}

}  // namespace

std::vector<BenchmarkTable> benchmark_tables() {
  const std::vector<std::string> of_speedups{
      "sequential: the same algorithm on one thread, an individual after the other, as the thesis has it; over fused: "
      "against our quickest form on one thread.",
      "`gene` with `roulette-walk` is what the thesis does: a thread a gene, and a walk along the wheel. In the other "
      "rows genes are packed bits, and `roulette` is stochastic acceptance."};
  std::vector<BenchmarkTable> tables{
      {.name = "table-5.2",
       .caption = "time of each kernel, 128 individuals of 1024 dimensions, 8 a block",
       .seconds = 12,
       .runs = paper_runs,
       .columns = columns_of_5_2,
       .run = table_5_2,
       .remarks =
           {"The thesis has 60,000 calls, 30 runs of 2000 generations. A launch with several stages counts as the "
            "crossover."}},
      speedup_table("table-5.3", "speed-up of all implementations", 18,
                    {.forms = {own_n_threads, own_warp, {"group"}, {"hybrid"}, {"subgroup"}}}, "population",
                    of_speedups)};
  for (auto& each : figures()) tables.push_back(std::move(each));
  tables.push_back(speedup_table("table-6.1", "speed-up also with populations of 256 and 512", 10,
                                 {.forms = {own_n_threads, {"group"}, {"hybrid"}},
                                  .populations = {paper::populations.begin(), paper::populations.end()}},
                                 "population", of_speedups));
  tables.push_back(
      time_table("table-6.2", "mean and deviation of n-threads", {own_n_threads, {"group"}}, paper::group_times, {}));
  tables.push_back(time_table("table-6.3", "mean and deviation of the modified warp", {{"hybrid"}}, paper::hybrid_times,
                              {"The thesis contradicts itself: from 128 dimensions on these times are up to 6 times "
                               "those that its table 5.3 and "
                               "its table 6.5 give (128 individuals of 1024 dimensions, one a block: 1411 ms here, "
                               "10305 / 44.2 = 233 ms there)."}));
  tables.push_back(
      time_table("table-6.4", "mean and deviation of the warp", {own_warp, {"subgroup"}}, paper::subgroup_times, {}));
  tables.push_back(
      {.name = "table-6.5",
       .caption = "mean and deviation on the processor, one thread",
       .seconds = 4,
       .runs = paper_runs,
       .columns = columns_of_times(),
       .run = table_6_5,
       .picture = BenchmarkPicture{"population", "individuals", "mean", "seconds", {"genes", "granularity"}}});
  for (auto& each : own_tables()) tables.push_back(std::move(each));
  return tables;
}

}  // namespace clopt::apps::genetic
