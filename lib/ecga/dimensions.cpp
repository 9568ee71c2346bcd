#include "dimensions.hpp"

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include <ecga/problems/parts.hpp>
#include <support/process/memory.hpp>

namespace clopt::ecga {
namespace {

// Of a row, so that it consists of whole vectors of 512 bits.
constexpr std::uint32_t words_multiple = 16;

// Rows for guesses that fail: as many as merges need, halved at most this many times.
constexpr int most_halvings = 3;
constexpr std::uint32_t fewest_spare_rows = 256;

// Rows for all subsets of groups of a size, for each locus.
std::uint64_t rows_of_groups(std::uint64_t length, std::uint32_t size) {
  return (length * ((1U << size) - 1) + size - 1) / size;
}

}  // namespace

Dimensions::Dimensions(std::uint64_t count, std::uint32_t loci, std::uint32_t largest_group,
                       std::uint32_t tournament_size, std::uint32_t row_loci, int spare)
    : individuals(static_cast<std::uint32_t>(count)),
      length(loci),
      row_words(static_cast<std::uint32_t>((count + 32 * words_multiple - 1) / (32 * words_multiple) * words_multiple)),
      words((loci + 31) / 32),
      most_loci(std::min(largest_group, static_cast<std::uint32_t>(std::bit_width(count)) - 1)),
      most_row_loci(row_loci),
      most_rows(loci) {
  // No individual is selected more often than there are rounds of tournaments.
  const auto blocks = std::max<std::uint64_t>(count / tournament_size, 1);
  layers = static_cast<std::uint32_t>(std::bit_width((count + blocks - 1) / blocks));
  counted_words = row_words + words_multiple * layers;
  if (row_loci < 2) return;
  // A forecast has the rows of single loci twice.
  most_rows = loci + needed_rows() + std::max((needed_rows() >> spare) + fewest_spare_rows, loci);
}

std::uint32_t Dimensions::needed_rows() const {
  return most_row_loci < 2 ? 0 : static_cast<std::uint32_t>(rows_of_groups(length, most_row_loci) - length);
}

std::uint64_t Dimensions::most_edges() const {
  const std::uint64_t pairs = std::uint64_t{length} * (length - 1) / 2;
  return std::min<std::uint64_t>(std::max<std::uint64_t>(pairs / 10, 4096), std::uint64_t{1} << 30);
}

std::uint64_t Dimensions::bytes() const {
  const std::uint64_t lists = std::uint64_t{4} * (std::uint64_t{128} * length + 4096);
  const std::uint64_t chosen = std::uint64_t{4} * (layers + 1) * stride();
  return population_bytes() + rows_bytes() + counted_bytes() + chosen + sampled_bytes() + counts_bytes() +
         logarithms_bytes() + edges_bytes() + std::uint64_t{4 + value_bytes} * stride() + improvement_bytes() +
         before_bytes() + lists;
}

std::uint64_t Dimensions::largest_buffer() const {
  return std::max({population_bytes(), rows_bytes(), counted_bytes(), counts_bytes(), logarithms_bytes(), edges_bytes(),
                   searches_bytes()});
}

namespace {

// \param sharers processes that take as much of a processor's memory each.
std::uint64_t memory_of(const Device& device, std::uint64_t sharers = 1) {
  const auto& info = device.info();
  if (info.kind != DeviceKind::cpu) return info.global_memory_bytes;
  return std::min(info.global_memory_bytes, available_memory()) / sharers;
}

Dimensions dimensions_of(const Plan& plan, std::uint32_t row_loci, int spare = 0) {
  const auto& options = plan.options;
  Dimensions dimensions(options.population, plan.problem.length, options.largest_group, options.tournament, row_loci,
                        spare);
  dimensions.value_bytes = plan.is_double ? 8 : 4;
  dimensions.is_improved = plan.improve != Improve::none;
  dimensions.keeps_before = dimensions.is_improved || plan.problem.objective.is_batch_function();
  dimensions.tries_whole = dimensions.is_improved && !parts_kind(plan.problem.objective);
  return dimensions;
}

}  // namespace

bool counts_rows(Counting counting) {
  return counting == Counting::automatic || counting == Counting::popcount || counting == Counting::matrix;
}

bool has_room(const Dimensions& dimensions, const Device& device, std::uint64_t sharers) {
  return dimensions.bytes() <= memory_of(device, sharers) &&
         dimensions.largest_buffer() <= device.info().max_allocation_bytes;
}

Dimensions fitting_dimensions(const Plan& plan, Counting counting, const Device& device, std::uint64_t sharers) {
  for (std::uint32_t row_loci = counts_rows(counting) ? ECGA_MOST_ROW_LOCI : 0;; --row_loci) {
    for (int spare = 0; spare <= most_halvings; ++spare)
      if (const auto dimensions = dimensions_of(plan, row_loci, spare); has_room(dimensions, device, sharers))
        return dimensions;
    if (row_loci > 0) continue;
    const auto dimensions = dimensions_of(plan, row_loci);
    throw InvalidInput(fmt::format(
        "{} individuals of {} loci take {} bytes, {} of them in one piece; {} has {} and gives at most {} in one "
        "piece: choose a smaller `population`, or another device",
        dimensions.individuals, dimensions.length, dimensions.bytes(), dimensions.largest_buffer(), device.info().id,
        memory_of(device, sharers), device.info().max_allocation_bytes));
  }
}

std::uint64_t memory_needed(const Problem& problem, const Options& options) {
  const auto plan = make_plan(problem, options);
  return dimensions_of(plan, counts_rows(plan.counting) ? ECGA_MOST_ROW_LOCI : 0).bytes();
}

}  // namespace clopt::ecga
