#include "run.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <device/kernels/build_ahead.hpp>
#include <device/transfer/read_in_pieces.hpp>
#include <device/verification/fault_detection.hpp>
#include <exception>
#include <limits>
#include <numeric>

#include <ecga/device/tuning.hpp>
#include <ecga/problems/upper_bound.hpp>
#include <support/stopwatch.hpp>

namespace clopt::ecga {

Run::Run(const Plan& plan, const Dimensions& dimensions, Counting counting, Device& device, const Watch& watch,
         Logarithms logarithms)
    : plan_(plan),
      dimensions_(dimensions),
      device_(device),
      watch_(watch),
      logarithms_(std::move(logarithms)),
      queue_(device.queue()) {
  const auto& options = plan.options;
  const bool has_table = counting == Counting::table_8 || counting == Counting::table_16;
  // The paper's system counts one merge at a time.
  guesses_ = options.guesses ? *options.guesses : has_table ? 1 : usual_guesses(device);
  // A given number of guesses asks for passes.
  is_predicted_ = plan.search == SearchMethod::greedy && !options.guesses;
  bound_ = upper_bound(plan.problem, plan.is_double);
  observed_ = options.statistics || options.stagnation.value_or(0) != 0;
  BuildAhead builds;
  initial_population_ = device.kernel<operations::InitialPopulation>();
  select_rows_ = device.kernel<operations::SelectRows>();
  rows_to_population_ = device.kernel<operations::RowsToPopulation>();
  sample_ = device.kernel<operations::Sample>();
  take_individual_ = device.kernel<operations::TakeIndividual>();
  fitness_ = Fitness::make(plan, dimensions_, device, *queue_, observed_);
  counter_ = std::make_unique<DeviceCounter>(device, *queue_, dimensions_, counting, logarithms_);
  builds.finish();
  predicted_model_ = std::make_unique<PredictedModel>(device, dimensions_, *counter_, logarithms_);
  predicted_model_->set_keep_busy([this] { deal_ahead(); });
  population_ = device.buffer<std::uint32_t>("population", std::size_t{dimensions_.words} * dimensions_.stride());
  if (dimensions_.keeps_before)
    other_population_ = device.buffer<std::uint32_t>("population before", population_.size());
  parents_ = zeroed_buffer<std::uint32_t>(device, *queue_, "parents", dimensions_.stride());
  sampled_ = device.buffer<std::uint32_t>("sampled rows", std::size_t{dimensions_.length} * dimensions_.row_words);
  lists_ = device.buffer<std::uint32_t>("model", std::size_t{2} * dimensions_.length + 2);
  best_ = device.buffer<std::uint32_t>("best individual", dimensions_.words);
  fitness_->reserve();
}

void Run::share_with(std::span<const std::shared_ptr<Device>> devices) {
  counter_->share_with(devices, plan_.options.least_shared);
  counter_->devices().call_between_launches([this] { require_time(); },
                                            [this] {
                                              if (!peers_ && watch_.expired())
                                                throw Cancelled("the run was ended while pairs were counted");
                                            });
}

bool Run::begin(const State* start) {
  best_fitness_ = best_mean_ = -std::numeric_limits<double>::infinity();
  // An initial population that was not improved to the end is drawn again.
  if (start && start->is_improved) {
    load(*start);
  } else {
    queue_->launch(initial_population_, Range{{dimensions_.stride(), dimensions_.words, 1}, {0, 1, 1}},
                   {.population = population_,
                    .individuals = dimensions_.individuals,
                    .stride = dimensions_.stride(),
                    .length = dimensions_.length,
                    .seed = plan_.options.seed});
    is_improved_ = false;
    is_improved_ = evaluate(0);
  }
  read_fitness();
  converged_ = all_equal();
  return is_improved_;
}

// Improves the population first. Whether that came to its end.
bool Run::evaluate(std::uint64_t generation) {
  statistics_.evaluations += dimensions_.individuals;
  // Individuals that are all equal are local optima.
  const bool is_searched = plan_.improve != Improve::none && !converged_;
  if (!is_searched || dimensions_.tries_whole || generation == 0) fitness_->evaluate(population_);
  if (!is_searched) return true;
  // So that the first search has a best to show.
  if (generation == 0) read_fitness();
  const auto improved = fitness_->improve({.individuals = population_,
                                           .selected = counter_->rows(),
                                           .model = model_,
                                           .generation = generation,
                                           .evaluations = statistics_.evaluations,
                                           .is_shared = peers_ != nullptr,
                                           .must_end = [this] { return is_expired(); }});
  statistics_.evaluations += improved.evaluations;
  return improved.is_complete;
}

void Run::read_fitness() {
  fitness_->begin_to_read(*counter_);
  take_fitness();
}

// The first of the best individuals is kept, once it beats all before.
void Run::take_fitness() {
  const auto best = fitness_->best();
  statistics_.best = plan_.value_of(best.value);
  bool improved = observed_ && take_mean();
  if (best.value > best_fitness_ || !has_best_) {
    improved = has_best_ = true;
    best_fitness_ = best.value;
    queue_->launch(take_individual_, Range::of_items(dimensions_.words),
                   {.population = population_,
                    .genes = best_,
                    .individual = best.individual,
                    .stride = dimensions_.stride(),
                    .words = dimensions_.words});
  }
  if (improved) improved_at_ = statistics_.generation;
  statistics_.best_so_far = best_fitness();
}

// Whether the mean is higher than all before.
bool Run::take_mean() {
  const auto [mean, least] = fitness_->mean_and_least();
  statistics_.mean = plan_.value_of(mean);
  statistics_.worst = plan_.value_of(least);
  if (!(mean > best_mean_)) return false;
  best_mean_ = mean;
  return true;
}

void Run::select() {
  fitness_->select(parents_, *counter_, statistics_.generation);
  counter_->select(population_);
  is_selected_ = true;
  has_rows_ = false;
}

// Whether there is another generation unless the fitness, which is not known yet, or the time ends the run. One after
// which nothing may have got better for long enough is more often the last one.
bool Run::is_sure_to_continue() const {
  const auto& limits = plan_.options;
  const auto stagnation = limits.stagnation.value_or(0);
  return !converged_ && (stagnation == 0 || stagnant_generations() < stagnation) &&
         (!limits.generations || statistics_.generation < *limits.generations) &&
         (!limits.evaluations || statistics_.evaluations < *limits.evaluations);
}

void Run::need_rows() {
  if (!has_rows_) take_parents();
}

void Run::take_parents() {
  queue_->launch(select_rows_, Range{{dimensions_.row_words, dimensions_.words, 1}, {0, 1, 1}},
                 {.population = population_,
                  .parents = parents_,
                  .rows = counter_->rows(),
                  .individuals = dimensions_.individuals,
                  .stride = dimensions_.stride(),
                  .row_words = dimensions_.row_words,
                  .length = dimensions_.length});
  has_rows_ = true;
}

void Run::select_everyone() {
  std::vector<std::uint32_t> everyone(dimensions_.individuals);
  std::iota(everyone.begin(), everyone.end(), 0U);
  queue_->write(parents_, everyone);
  take_parents();
}

bool Run::all_equal() {
  select_everyone();
  const auto& ones = counter_->begin();
  return std::all_of(ones.begin(), ones.end(),
                     [&](std::uint32_t count) { return count == 0 || count == dimensions_.individuals; });
}

const Model& Run::model_of(std::span<const std::uint32_t> population) {
  load_population(population);
  select_everyone();
  queue_->fill(counter_->copies(), 1U);
  queue_->fill(counter_->totals(), 0U);
  counter_->select(population_);
  build_model();
  return model_;
}

// A device that is given work beforehand continues while the host reads how good the generation is.
bool Run::step() {
  if (early_failure_) std::rethrow_exception(std::exchange(early_failure_, nullptr));
  if (!is_selected_) select();
  is_selected_ = false;
  std::optional<Generation> before;
  if (dimensions_.keeps_before) before = Generation{model_, statistics_, converged_, passes_, merges_};
  if (!build_model()) return false;
  if (dealt_model_ != model_) deal(model_);
  dealt_model_.clear();
  if (before) exchange();
  replace_population();
  bool is_complete = false;
  try {
    is_complete = evaluate(statistics_.generation + 1);
  } catch (const Cancelled&) {
    if (!before) throw;
  }
  if (!is_complete) {
    put_back(*std::move(before));
    return false;
  }
  ++statistics_.generation;
  keep_model();
  fitness_->begin_to_read(*counter_);
  if (!device_.info().launches_are_calls && is_sure_to_continue()) begin_next_model();
  take_fitness();
  return true;
}

void Run::exchange() {
  std::swap(population_, other_population_);
  fitness_->exchange();
}

void Run::put_back(Generation before) {
  exchange();
  model_ = std::move(before.model);
  statistics_ = before.statistics;
  converged_ = before.converged;
  passes_ = before.passes;
  merges_ = before.merges;
}

// Ranks ask each other before each try whether the run ends. A failure is the next step's: this may have been the last
// one.
void Run::begin_next_model() {
  try {
    select();
    if (is_predicted_ && !peers_ && !watch_.expired()) predicted_model_->begin();
  } catch (const DeviceError&) {
    early_failure_ = std::current_exception();
  }
}

bool Run::build_model() {
  const Stopwatch stopwatch;
  bool was_predicted = false;
  const auto found = find_model(was_predicted);
  if (!found) return false;
  const auto ones = was_predicted ? predicted_model_->ones() : std::span<const std::uint32_t>(counter_->last_ones());
  take_model(*found);

  const auto& table = logarithms_.table;
  std::int64_t complexity = std::int64_t{dimensions_.length} * logarithms_.unit - found->gain;
  std::uint32_t constant = 0;
  statistics_.ones = 0;
  for (const auto count : ones) {
    complexity += table[dimensions_.individuals] - table[count] - table[dimensions_.individuals - count];
    if (count == 0 || count == dimensions_.individuals) ++constant;
    statistics_.ones += count / (static_cast<double>(dimensions_.length) * dimensions_.individuals);
  }
  // Sampling keeps the number of ones of each locus.
  converged_ = constant == dimensions_.length;
  statistics_.converged_loci = constant;
  statistics_.combined_complexity = logarithms_.bits(complexity);
  statistics_.merges = found->merges;
  statistics_.passes = found->passes;
  statistics_.model_seconds = stopwatch.seconds();
  model_seconds_ += statistics_.model_seconds;
  passes_ += found->passes;
  merges_ += found->merges;
  return true;
}

// None where the run ends before it is found.
std::optional<Found> Run::find_model(bool& was_predicted) try {
  auto found = predict();
  was_predicted = found.has_value();
  if (found || is_expired()) return found;
  found = search();
  if (found && is_predicted_) predicted_model_->expect(found->groups);
  return found;
} catch (const Cancelled&) {
  // Others would wait for this one.
  if (peers_) throw;
  return std::nullopt;
}

// Ranks end in step.
void Run::require_time() const {
  if (!peers_ && is_expired()) throw Cancelled("the run was ended while pairs were counted");
}

std::optional<Found> Run::predict() {
  if (!is_predicted_ || !predicted_model_->is_due()) return std::nullopt;
  if (!predicted_model_->has_blocks()) {
    need_rows();
    counter_->begin();
    const auto active = counter_->active_loci();
    if (active.size() < 2) return std::nullopt;
    std::vector<Edge> edges;
    counter_->count_loci_only(active, edges);
    predicted_model_->expect(std::move(edges));
  }
  return predicted_model_->verify([this] { return is_expired(); });
}

std::optional<Found> Run::search() {
  need_rows();
  counter_->begin();
  SearchParameters search;
  search.mating = plan_.search == SearchMethod::mating;
  search.entropies = counter_->entropies();
  search.active = counter_->active_loci();
  search.guesses = guesses_;
  search.most_loci = dimensions_.most_loci;
  search.unit = logarithms_.unit;
  auto found = search_model(search, *counter_, [&] { return is_expired(); });
  if (!found) return found;
  for (auto& group : found->groups) std::sort(group.begin(), group.end());
  return found;
}

void Run::take_model(const Found& found) {
  auto model = found.groups;
  std::sort(model.begin(), model.end());
  is_steady_ = model == model_;
  model_ = std::move(model);
  statistics_.model = model_;
}

// Groups that are as many join as many loci.
void Run::keep_model() {
  if (best_model_.generation == 0 || model_.size() <= best_model_.model.size())
    best_model_ = {statistics_.generation, model_};
  if (plan_.options.keep_models) models_.push_back({statistics_.generation, model_});
}

void Run::deal(const Model& model) {
  need_rows();
  std::vector<std::uint32_t> lists;
  lists.reserve(model.size() + 1 + dimensions_.length);
  std::uint32_t offset = 0;
  for (const auto& group : model) {
    lists.push_back(offset);
    offset += static_cast<std::uint32_t>(group.size());
  }
  lists.push_back(offset);
  for (const auto& group : model) lists.insert(lists.end(), group.begin(), group.end());
  queue_->write_later(lists_, HostArray(std::move(lists)));
  const auto groups = static_cast<std::uint32_t>(model.size());
  const auto mixed = static_cast<std::uint32_t>(std::llround(plan_.options.crossover * dimensions_.individuals));
  queue_->launch(sample_, Range{{dimensions_.row_words, groups, 1}, {0, 1, 1}},
                 {.rows = counter_->rows(),
                  .lists = lists_,
                  .sampled = sampled_,
                  .groups = groups,
                  .mixed_groups = groups,
                  .individuals = dimensions_.individuals,
                  .mixed = mixed,
                  .row_words = dimensions_.row_words,
                  .seed = plan_.options.seed,
                  .generation = static_cast<std::uint32_t>(statistics_.generation)});
}

// Most models are those of the generation before: while the host checks whether this one is, its samples are dealt out.
void Run::deal_ahead() {
  need_rows();
  if (!is_steady_ || device_.info().launches_are_calls) return;
  deal(model_);
  dealt_model_ = model_;
}

void Run::replace_population() {
  queue_->launch(rows_to_population_, Range{{dimensions_.row_words, dimensions_.words, 1}, {0, 1, 1}},
                 {.rows = sampled_,
                  .population = population_,
                  .stride = dimensions_.stride(),
                  .row_words = dimensions_.row_words,
                  .length = dimensions_.length});
}

// A best value goes with its genes.
void Run::report() const {
  if (!has_best_ || !watch_.report_due()) return;
  if (shown_genes_.empty() || shown_fitness_ != best_fitness_) {
    const auto genes = genes_of(read_best());
    shown_genes_.assign(genes.begin(), genes.end());
    shown_fitness_ = best_fitness_;
  }
  const auto& limit = plan_.options.generations;
  const double done = limit && *limit > 0 ? static_cast<double>(statistics_.generation) / static_cast<double>(*limit)
                                          : statistics_.converged_loci / static_cast<double>(dimensions_.length);
  watch_.report("generations", std::min(done, 1.0), best_fitness(), shown_genes_, statistics_.evaluations);
}

}  // namespace clopt::ecga
