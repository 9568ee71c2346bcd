#include "run.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <objective/operations.hpp>
#include <objective/program.hpp>

#include <support/checksum.hpp>
#include <support/stopwatch.hpp>
#include "tuning.hpp"

namespace clopt::ecga {
namespace {

// The way back from ecga_best_key().
float value_of_key(std::uint64_t key) {
  constexpr std::uint32_t sign = 1U << 31;
  const auto ordered = static_cast<std::uint32_t>(key >> 32);
  return std::bit_cast<float>(ordered >= sign ? ordered - sign : sign + (sign - ordered));
}

constexpr std::uint32_t best_group = 256;
constexpr std::uint32_t section_individuals = 2048;

}  // namespace

Run::Run(const Problem& problem, const Options& options, const Shape& shape, Counting counting, Device& device,
         const Watch& watch)
    : problem_(problem),
      options_(options),
      shape_(shape),
      device_(device),
      watch_(watch),
      logarithms_(shape.individuals),
      queue_(device.queue()) {
  const bool is_paper_s = counting == Counting::table_8 || counting == Counting::table_16;
  // The paper's system counts one merge at a time.
  guesses_ = options.guesses ? *options.guesses : is_paper_s ? 1 : usual_guesses(device);
  // Who says how many merges are guessed wants to see them guessed.
  is_foreseen_ = options.search == "greedy" && !options.guesses;
  const Stopwatch stopwatch;
  initial_population_ = device.kernel(initial_population);
  tournament_ = device.kernel(tournament);
  select_rows_ = device.kernel(select_rows);
  rows_to_population_ = device.kernel(rows_to_population);
  sample_ = device.kernel(sample);
  find_best_ = device.kernel(find_best);
  take_individual_ = device.kernel(take_individual);
  Program program;
  objective::prepare(program, problem.objective, false, device.info().launches_are_calls ? 0 : shape_.length);
  evaluate_ = objective::build<Evaluate>(device, program, problem.objective);
  build_seconds_ = stopwatch.seconds();
  counter_ = std::make_unique<DeviceCounter>(device, *queue_, shape_, counting, logarithms_);
  forecast_ = std::make_unique<Forecast>(device, shape_, *counter_, logarithms_);
  population_ = device.buffer<std::uint32_t>("population", std::size_t{shape_.words} * shape_.stride());
  fitness_ = device.buffer<float>("fitness", shape_.stride());
  parents_ = device.buffer<std::uint32_t>("parents", shape_.stride());
  sampled_ = device.buffer<std::uint32_t>("sampled rows", std::size_t{shape_.length} * shape_.row_words);
  lists_ = device.buffer<std::uint32_t>("model", std::size_t{2} * shape_.length + 2);
  best_ = device.buffer<std::uint32_t>("best individual", shape_.words);
  tables_ = objective::upload_tables<float>(device, *queue_, problem.objective);
  no_rows_ = device.buffer<float>("rows", 1);
  queue_->fill(no_rows_, 0.0F);
  host_sections_.resize((std::size_t{shape_.individuals} + section_individuals - 1) / section_individuals * 2);
  sections_ = device.buffer<std::uint64_t>("best of sections", host_sections_.size());
}

void Run::begin(const State* start) {
  best_fitness_ = -std::numeric_limits<double>::infinity();
  if (start) {
    load(*start);
  } else {
    queue_->launch(initial_population_, Range{{shape_.stride(), shape_.words, 1}, {0, 1, 1}}, population_,
                   shape_.individuals, shape_.stride(), shape_.length, options_.seed);
    evaluate();
  }
  begin_to_note_fitness();
  note_fitness();
  converged_ = all_equal();
}

void Run::load_population(std::span<const std::uint32_t> population) {
  queue_->fill(population_, 0U);
  for (std::uint32_t word = 0; word < shape_.words; ++word)
    queue_->write(population_, population.subspan(std::size_t{word} * shape_.individuals, shape_.individuals),
                  std::size_t{word} * shape_.stride());
}

void Run::load(const State& start) {
  load_population(start.population);
  queue_->write(fitness_, start.fitness);
  queue_->write(best_, start.best_genes);
  best_fitness_ = start.best_fitness;
  generation_.number = start.generation;
  generation_.evaluations = start.evaluations;
  model_.clear();
  auto locus = start.model_loci.begin();
  for (const auto size : start.model_sizes) {
    model_.emplace_back(locus, locus + size);
    locus += size;
  }
}

void Run::evaluate() {
  queue_->launch(evaluate_, Range::of_items(shape_.individuals),
                 {.elements = population_,
                  .rows = no_rows_,
                  .tables = tables_,
                  .values = fitness_,
                  .count = std::uint64_t{shape_.individuals},
                  .individual_step = std::uint64_t{1},
                  .row_step = std::uint64_t{0},
                  .gene_step = shape_.stride(),
                  .gene_count = shape_.length,
                  .column_count = 0U});
  generation_.evaluations += shape_.individuals;
}

void Run::begin_to_note_fitness() {
  const auto group = std::min(best_group, find_best_.max_group_size());
  queue_->launch(find_best_, Range::of_groups(host_sections_.size() / 2, group), fitness_, sections_,
                 shape_.individuals, section_individuals);
  best_told_ = counter_->crew().first().read_beside(sections_, std::span(host_sections_));
}

// The first of the best individuals is kept, once it beats all before.
void Run::note_fitness() {
  best_told_.wait();
  std::uint64_t key = 0;
  for (std::size_t section = 0; section < host_sections_.size(); section += 2) {
    key = std::max(key, host_sections_[section]);
    if (const auto bad = host_sections_[section + 1]; bad < shape_.individuals) refuse_fitness(bad);
  }
  const auto best = ~static_cast<std::uint32_t>(key);
  generation_.best = value_of_key(key);
  if (observed_) note_spread();
  if (generation_.best > best_fitness_) {
    best_fitness_ = generation_.best;
    queue_->launch(take_individual_, Range::of_items(shape_.words), population_, best_, best, shape_.stride(),
                   shape_.words);
  }
  generation_.best_so_far = best_fitness_;
}

void Run::refuse_fitness(std::uint64_t individual) {
  float value = 0;
  queue_->read(fitness_, std::span(&value, 1), individual);
  throw InvalidInput(fmt::format("ecga: the objective of individual {} in generation {} is {}; it must be finite",
                                 individual, generation_.number, value));
}

void Run::note_spread() {
  const auto fitness = read_fitness();
  double sum = 0;
  for (const auto value : fitness) sum += value;
  generation_.worst = *std::min_element(fitness.begin(), fitness.end());
  generation_.mean = sum / shape_.individuals;
}

std::vector<float> Run::read_fitness() {
  std::vector<float> fitness(shape_.individuals);
  queue_->read(fitness_, std::span(fitness));
  return fitness;
}

void Run::select() {
  queue_->launch(tournament_, Range::of_items(shape_.individuals), fitness_, parents_, counter_->copies(),
                 counter_->totals(), shape_.individuals, options_.tournament, options_.seed,
                 static_cast<std::uint32_t>(generation_.number));
  counter_->select(population_);
  is_selected_ = true;
  has_rows_ = false;
}

// Whether there is another generation unless the fitness, which is not known yet, or the time ends the run.
bool Run::is_sure_to_go_on() const {
  return !converged_ && (!options_.generations || generation_.number < *options_.generations);
}

void Run::need_rows() {
  if (!has_rows_) take_parents();
}

void Run::take_parents() {
  queue_->launch(select_rows_, Range{{shape_.row_words, shape_.words, 1}, {0, 1, 1}}, population_, parents_,
                 counter_->rows(), shape_.individuals, shape_.stride(), shape_.row_words, shape_.length);
  has_rows_ = true;
}

void Run::select_everyone() {
  std::vector<std::uint32_t> everyone(shape_.individuals);
  std::iota(everyone.begin(), everyone.end(), 0U);
  queue_->write(parents_, everyone);
  take_parents();
}

bool Run::all_equal() {
  select_everyone();
  const auto& ones = counter_->begin();
  return std::all_of(ones.begin(), ones.end(),
                     [&](std::uint32_t count) { return count == 0 || count == shape_.individuals; });
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

// A device that is given work beforehand works on while the host hears how the generation went.
bool Run::step() {
  if (!is_selected_) select();
  is_selected_ = false;
  if (!build_model()) return false;
  if (dealt_model_ != model_) deal(model_);
  replace_population();
  evaluate();
  ++generation_.number;
  begin_to_note_fitness();
  if (!device_.info().launches_are_calls && is_sure_to_go_on()) select();
  note_fitness();
  return true;
}

bool Run::build_model() {
  const Stopwatch stopwatch;
  dealt_model_.clear();
  auto found = foresee();
  const bool was_foreseen = found.has_value();
  if (!found) {
    found = search();
    if (!found) return false;
    if (is_foreseen_) forecast_->expect(found->groups);
  }
  const auto& ones = was_foreseen ? forecast_->ones() : counter_->last_ones();
  take_model(*found);

  const auto& table = logarithms_.table;
  std::int64_t complexity = std::int64_t{shape_.length} * logarithms_.unit - found->gain;
  std::uint32_t constant = 0;
  generation_.ones = 0;
  for (const auto count : ones) {
    complexity += table[shape_.individuals] - table[count] - table[shape_.individuals - count];
    if (count == 0 || count == shape_.individuals) ++constant;
    generation_.ones += count / (static_cast<double>(shape_.length) * shape_.individuals);
  }
  // Mixing leaves every locus as often 1 as it was.
  converged_ = constant == shape_.length;
  generation_.converged_loci = constant;
  generation_.combined_complexity = logarithms_.bits(complexity);
  generation_.merges = found->merges;
  generation_.passes = found->passes;
  generation_.model_seconds = stopwatch.seconds();
  model_seconds_ += generation_.model_seconds;
  passes_ += found->passes;
  merges_ += found->merges;
  return true;
}

std::optional<Found> Run::foresee() {
  if (!is_foreseen_ || !forecast_->is_due()) return std::nullopt;
  if (!forecast_->has_blocks()) {
    need_rows();
    counter_->begin();
    const auto active = counter_->active_loci();
    if (active.size() < 2) return std::nullopt;
    std::vector<Edge> edges;
    counter_->count_loci(active, edges);
    forecast_->expect(std::move(edges));
  }
  return forecast_->verify([&] { return watch_.expired(); }, [&] { deal_ahead(); });
}

std::optional<Found> Run::search() {
  need_rows();
  counter_->begin();
  SearchSettings settings;
  settings.mating = options_.search == "mating";
  settings.entropies = counter_->entropies();
  settings.active = counter_->active_loci();
  settings.guesses = guesses_;
  settings.most_loci = shape_.most_loci;
  settings.unit = logarithms_.unit;
  auto found = search_model(settings, *counter_, [&] { return watch_.expired(); });
  if (!found) return found;
  for (auto& group : found->groups) std::sort(group.begin(), group.end());
  return found;
}

void Run::take_model(const Found& found) {
  auto model = found.groups;
  std::sort(model.begin(), model.end());
  is_steady_ = model == model_;
  model_ = std::move(model);
  generation_.model = &model_;
}

void Run::deal(const Model& model) {
  need_rows();
  lists_written_.wait();
  host_lists_.clear();
  std::uint32_t offset = 0;
  for (const auto& group : model) {
    host_lists_.push_back(offset);
    offset += static_cast<std::uint32_t>(group.size());
  }
  host_lists_.push_back(offset);
  for (const auto& group : model) host_lists_.insert(host_lists_.end(), group.begin(), group.end());
  lists_written_ = queue_->write_later(lists_, host_lists_);
  const auto groups = static_cast<std::uint32_t>(model.size());
  const auto mixed = static_cast<std::uint32_t>(std::llround(options_.crossover * shape_.individuals));
  queue_->launch(sample_, Range{{shape_.row_words, groups, 1}, {0, 1, 1}}, counter_->rows(), lists_, sampled_, groups,
                 groups, shape_.individuals, mixed, shape_.row_words, options_.seed,
                 static_cast<std::uint32_t>(generation_.number));
}

// Most models are those of the generation before: while the host learns whether this one is, its samples are dealt out.
void Run::deal_ahead() {
  need_rows();
  if (!is_steady_ || device_.info().launches_are_calls) return;
  deal(model_);
  dealt_model_ = model_;
}

void Run::replace_population() {
  queue_->launch(rows_to_population_, Range{{shape_.row_words, shape_.words, 1}, {0, 1, 1}}, sampled_, population_,
                 shape_.stride(), shape_.row_words, shape_.length);
}

std::vector<std::uint8_t> Run::best_genes() {
  std::vector<std::uint32_t> words(shape_.words);
  queue_->read(best_, std::span(words));
  std::vector<std::uint8_t> genes(shape_.length);
  for (std::uint32_t i = 0; i < shape_.length; ++i) genes[i] = words[i / 32] >> i % 32 & 1;
  return genes;
}

std::vector<std::uint32_t> Run::read_population() {
  std::vector<std::uint32_t> population(std::size_t{shape_.words} * shape_.individuals);
  std::vector<Event> events;
  for (std::uint32_t word = 0; word < shape_.words; ++word)
    events.push_back(queue_->read_later(
        population_, std::span(population).subspan(std::size_t{word} * shape_.individuals, shape_.individuals),
        std::size_t{word} * shape_.stride()));
  for (const auto& event : events) event.wait();
  return population;
}

State Run::state() {
  State state;
  state.generation = generation_.number;
  state.evaluations = generation_.evaluations;
  state.population = read_population();
  state.fitness = read_fitness();
  state.best_genes.resize(shape_.words);
  queue_->read(best_, std::span(state.best_genes));
  state.best_fitness = best_fitness_;
  for (const auto& group : model_) {
    state.model_sizes.push_back(static_cast<std::uint32_t>(group.size()));
    state.model_loci.insert(state.model_loci.end(), group.begin(), group.end());
  }
  return state;
}

std::uint64_t Run::checksum() {
  Checksum checksum;
  const auto state = this->state();
  checksum.add(state.generation);
  checksum.add(std::span<const std::uint32_t>(state.population));
  checksum.add(std::span<const float>(state.fitness));
  checksum.add(std::span<const std::uint32_t>(state.best_genes));
  checksum.add(std::span<const std::uint32_t>(state.model_sizes));
  checksum.add(std::span<const std::uint32_t>(state.model_loci));
  return checksum.value();
}

}  // namespace clopt::ecga
