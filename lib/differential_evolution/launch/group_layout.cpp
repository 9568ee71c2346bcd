#include "group_layout.hpp"

#include <clopt/program.hpp>

#include <algorithm>

namespace clopt::differential_evolution {
namespace {

// Vectors up to here stay in registers beside their trials from generation to generation.
constexpr std::uint32_t most_resident = 16;
// A work-group of several optimisations is no larger.
constexpr std::uint32_t usual_items = 256;
// Rows of a population that come to local memory together: at most, at least, and where no number between divides the
// dimensions, so that the last rows are fewer.
constexpr std::uint32_t most_rows = 8;
constexpr std::uint32_t least_rows = 4;
constexpr std::uint32_t usual_rows = 5;
// What a kernel has in local memory besides.
constexpr std::size_t flags = 64;

// As many problems side by side as leave the fewest work-items idle, where all compute units have work all the same.
std::uint32_t side_by_side(const Plan& plan, const DeviceInfo& info, std::size_t problems) {
  const auto population = plan.settings.population;
  std::uint32_t best = 1;
  for (std::uint32_t n = 2; n <= most_side_by_side; ++n) {
    const bool better = whole_subgroups(n * population) * best < whole_subgroups(best * population) * n;
    const bool fits =
        n * population <= usual_items && std::uint64_t{n} * 2 * info.compute_units <= std::uint64_t{problems};
    if (better && fits) best = n;
  }
  return best;
}

std::uint32_t rows_at_once(std::uint32_t dimensions) {
  for (auto rows = most_rows; rows >= least_rows; --rows)
    if (dimensions % rows == 0) return rows;
  return usual_rows;
}

}  // namespace

void GroupLayout::define(const Plan& plan, const DeviceInfo& info, Program& program) const {
  program.defines.set("LOCAL_POPULATION", is_local).set("REMEMBERS_LOCALLY", remembers);
  if (info.kind == DeviceKind::gpu) program.defines.set("POPULATION", plan.settings.population);
  if (items != 0) program.defines.set("WORK_GROUP", items);
  if (in_registers) program.defines.set("PROBLEMS_OF_GROUP", problems);
  if (rows != 0) program.defines.set("ROWS_AT_ONCE", rows).set("PRIVATE_TRIAL", 0);
}

std::vector<GroupLayout> forms_of(const Plan& plan, const DeviceInfo& info, std::size_t problems) {
  const auto& settings = plan.settings;
  const std::size_t population = settings.population;
  const std::size_t real = plan.is_double() ? sizeof(double) : sizeof(float);
  const auto fits = [&](std::size_t numbers) { return numbers * real + flags <= info.local_memory_bytes; };
  const auto most = std::min(info.max_work_group_size, most_items);

  GroupLayout general;
  const auto both = population * (2 * std::size_t{settings.dimensions} + 1);
  const std::size_t scratch = plan.needs_extremes() ? most * (2 * real + sizeof(std::uint32_t)) : 0;
  general.is_local = fits(both + (scratch + real - 1) / real);
  general.local_numbers = general.is_local ? both : 1;
  if (plan.remembers() && plan.settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1) {
    // The order, and those that have gained: their bits, their numbers, and where they go.
    const std::size_t places = 3 * population + (population + 31) / 32;
    const auto remembered = both + shared::evolution_controls(settings.adapt, settings.population);
    general.remembers = fits(remembered + (scratch + places * sizeof(std::uint32_t) + real - 1) / real);
    if (general.remembers) {
      general.local_numbers = remembered;
      general.local_places = places;
    }
  }
  if (info.kind != DeviceKind::gpu || plan.needs_lead()) return {general};

  GroupLayout special;
  special.problems = side_by_side(plan, info, problems);
  special.items = whole_subgroups(special.problems * settings.population);
  special.local_numbers = special.problems * population * settings.dimensions;
  special.in_registers = settings.dimensions <= most_resident && fits(special.local_numbers);
  special.is_local = special.in_registers;
  if (!special.in_registers) {
    special.problems = 1;
    special.items = whole_subgroups(settings.population);
    special.rows = rows_at_once(settings.dimensions);
    special.local_numbers = 2 * special.rows * population;
    if (general.is_local || !fits(special.local_numbers)) return {general};
  }
  if (special.items > most) return {general};
  return {special, general};
}

}  // namespace clopt::differential_evolution
