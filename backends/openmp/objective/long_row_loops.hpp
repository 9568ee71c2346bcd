// Passes over the data of long rows on the host, as many sections at a time as a vector has lanes. Compiled at run
// time, as fit_loops.hpp is, where `vectors` has a number of consecutive data.

#include "objective/fit_items.hpp"

static one::fit_work& fit_of(const LongRowsBatch& batch, uint row) {
  return static_cast<one::fit_work*>(batch.fits)[row];
}

static scalar* parts_of(const LongRowsBatch& batch, uint row, uint sum, uint section) {
  return static_cast<scalar*>(batch.parts) + (static_cast<ulong>(row) * FIT_SUMS + sum) * batch.settings.sections +
         section;
}

static void evaluate_section(const LongRowsBatch& batch, uint row, uint section) {
  one::individual x{};
  x.stride = 1;
  x.gene_count = FIT_PARAMETERS;
  x.column_count = batch.settings.columns;
  x.row_values = static_cast<const scalar*>(batch.rows) + static_cast<ulong>(row) * batch.settings.columns;
  x.row_stride = 1;
  x.tables = static_cast<const scalar*>(batch.tables);
  one::fit_found found;
  one::fit_evaluate(&fit_of(batch, row), x, fit_section_begin(section), FIT_TILE_SECTIONS,
                    fit_section_end(section, columns(x)), &found);
  for (uint sum = 0; sum < FIT_SUMS; ++sum) *parts_of(batch, row, sum, section) = fit_sum(&found, sum);
}

#ifdef FIT_VECTORS
static_assert(FIT_TILE_SECTIONS % vectors::vector_lanes == 0);

__attribute__((flatten, noinline)) static void evaluate_lanes(const vectors::fit_work& work,
                                                              const vectors::individual& x, uint section, uint end,
                                                              vectors::fit_found& found) {
  vectors::fit_evaluate(&work, x, fit_section_begin(section), FIT_TILE_SECTIONS, end, &found);
}

// Returns whether all lanes went one way. Their sections must have equally many data.
static bool evaluate_in_lanes(const LongRowsBatch& batch, const vectors::fit_work& work, uint row, uint section,
                              uint end) {
  const vectors::individual x{nullptr, batch.settings.columns,
                              static_cast<const scalar*>(batch.rows) + static_cast<ulong>(row) * batch.settings.columns,
                              static_cast<const scalar*>(batch.tables)};
  vectors::fit_found found;
  begin_together();
  evaluate_lanes(work, x, section, end, found);
  vectors::truth_value all_together[vectors::vector_lanes];
  find_together(all_together);
  for (const auto lane : all_together)
    if (lane == 0) return false;
  for (uint sum = 0; sum < FIT_SUMS; ++sum) vectors::fit_sum(&found, sum).store(parts_of(batch, row, sum, section));
  return true;
}

// Whether the sections of a vector have equally many data.
static bool are_alike(uint section, uint end) {
  const uint first = fit_section_begin(section);
  const auto data_of = [&](uint begin) { return begin < end ? (end - begin - 1) / FIT_TILE_SECTIONS + 1 : 0; };
  return data_of(first) == data_of(first + vectors::vector_lanes - 1);
}
#endif

// Sections of one row.
static void evaluate_row(const LongRowsBatch& batch, uint row, uint section, uint count) {
  const auto& work = fit_of(batch, row);
  if (work.status != FIT_RUNS) return;
  const uint sections_end = section + count;
#ifdef FIT_VECTORS
  vectors::fit_work all;
  for (uint i = 0; i < work_reals; ++i)
    reinterpret_cast<vectors::number*>(&all)[i] = vectors::number(reinterpret_cast<const scalar*>(&work)[i]);
  for (; section % vectors::vector_lanes == 0 && section + vectors::vector_lanes <= sections_end;
       section += vectors::vector_lanes) {
    const uint end = fit_section_end(section, batch.settings.columns / OBJECTIVE_ROW_PARTS);
    if (are_alike(section, end) && evaluate_in_lanes(batch, all, row, section, end)) continue;
    for (uint lane = 0; lane < vectors::vector_lanes; ++lane) evaluate_section(batch, row, section + lane);
  }
#endif
  for (; section < sections_end; ++section) evaluate_section(batch, row, section);
}

static void evaluate_sections(const LongRowsBatch& batch) {
  const uint end = batch.settings.first + batch.settings.count;
  for (uint first = batch.settings.first; first < end;) {
    const uint row = first / batch.settings.sections;
    const uint section = first % batch.settings.sections;
    const uint left = end - first;
    const uint of_row = batch.settings.sections - section;
    const uint count = left < of_row ? left : of_row;
    evaluate_row(batch, row, section, count);
    first += count;
  }
}

static void add_sums(const LongRowsBatch& batch, uint row, one::fit_found& found) {
  const uint sums = batch.settings.sums;
  one::fit_add_sums(static_cast<const scalar*>(batch.numbers) + static_cast<ulong>(row) * FIT_SUMS * sums, sums,
                    &found);
}

static void advance_row(const LongRowsBatch& batch, uint row) {
  auto& work = fit_of(batch, row);
  const uint data = batch.settings.columns / OBJECTIVE_ROW_PARTS;
  one::fit_found found;
  if (work.status == FIT_RUNS) {
    add_sums(batch, row, found);
    if (batch.work == LongRowsBatch::Work::advance) {
      one::fit_advance(&work, &found, data, static_cast<scalar>(batch.settings.most_rounds));
    } else {
      if (!one::fit_take_slopes(&work, &found, data)) work.status = FIT_BY_SLOPE;
      auto inverted = work;
      scalar errors[FIT_PAIRS];
      one::fit_invert(&inverted, errors);
      for (uint k = 0; k < FIT_PAIRS; ++k)
        static_cast<scalar*>(batch.errors)[static_cast<ulong>(k) * batch.settings.fits + row] = errors[k];
    }
  }
  if (batch.work == LongRowsBatch::Work::advance) end_one(work, batch, row, batch.settings.fits);
  batch.running[row] = work.status == FIT_RUNS ? 1 : 0;
}

static void long_rows(const LongRowsBatch& batch) {
  if (batch.work == LongRowsBatch::Work::evaluate) return evaluate_sections(batch);
  if (batch.work != LongRowsBatch::Work::begin) {
    for (uint row = 0; row < batch.settings.rows; ++row) advance_row(batch, row);
    return;
  }
  const auto* const extents = static_cast<const scalar*>(batch.numbers);
  for (uint row = 0; row < batch.begin.count; ++row) {
    auto& work = fit_of(batch, row);
    begin_at(work, batch.guesses, batch.begin.own_guess, batch.lower, batch.upper, row, batch.begin);
    one::fit_set_scale(&work, extents[2 * row], extents[2 * row + 1]);
  }
}
