// Fits of a text on the host, as many at a time as a vector has lanes: a lane whose fit has ended takes the next one.
// Compiled at run time. Before it stand two readings of the text and of levenberg_marquardt.h: `one`, and `vectors`
// (FIT_VECTORS) of many. A lane that the text's branches would take another way than the first one's is done by `one`.

#include "objective/fit_items.hpp"

static one::individual one_individual(const FitBatch& batch, uint fit) {
  one::individual x{};
  x.stride = 1;
  x.gene_count = FIT_PARAMETERS;
  x.column_count = batch.settings.columns;
  x.row_values = static_cast<const scalar*>(batch.rows) + fit;
  x.row_stride = batch.settings.fits;
  x.tables = static_cast<const scalar*>(batch.tables);
  return x;
}

static void begin_one(one::fit_work& work, const FitBatch& batch, uint fit) {
  const uint own_guess = batch.errors != nullptr ? 1 : batch.settings.own_guess;
  begin_at(work, batch.guesses, own_guess, batch.lower, batch.upper, fit, batch.settings);
}

static void fit_one(const FitBatch& batch, uint fit) {
  one::fit_work work;
  const auto x = one_individual(batch, fit);
  begin_one(work, batch, fit);
  if (batch.errors != nullptr) {
    scalar errors[FIT_PAIRS];
    one::fit_find_errors(&work, x, errors);
    for (uint k = 0; k < FIT_PAIRS; ++k)
      static_cast<scalar*>(batch.errors)[static_cast<ulong>(k) * batch.settings.fits + fit] = errors[k];
    return;
  }
  one::fit_measure_data(&work, x);
  while (work.status == FIT_RUNS) one::fit_round(&work, x, static_cast<scalar>(batch.settings.most_rounds));
  end_one(work, batch, fit, batch.settings.fits);
}

#ifdef FIT_VECTORS
static void set_lane(vectors::fit_work& all, uint lane, const one::fit_work& work) {
  scalar from[work_reals];
  __builtin_memcpy(from, &work, sizeof from);
  auto* const to = reinterpret_cast<scalar*>(&all) + lane;
  for (uint i = 0; i < work_reals; ++i) to[i * vectors::vector_lanes] = from[i];
}

static void get_lane(const vectors::fit_work& all, uint lane, one::fit_work& work) {
  scalar to[work_reals];
  const auto* const from = reinterpret_cast<const scalar*>(&all) + lane;
  for (uint i = 0; i < work_reals; ++i) to[i] = from[i * vectors::vector_lanes];
  __builtin_memcpy(&work, to, sizeof to);
}

static void set_row(scalar* rows, uint lane, const FitBatch& batch, uint fit) {
  const auto* const from = static_cast<const scalar*>(batch.rows) + fit;
  const ulong stride = batch.settings.fits;
  for (uint j = 0; j < batch.settings.columns; ++j) rows[j * vectors::vector_lanes + lane] = from[j * stride];
}

__attribute__((flatten, noinline)) static void measure_all(vectors::fit_work& all, const vectors::individual& x) {
  vectors::fit_measure_data(&all, x);
}
__attribute__((flatten, noinline)) static void round_of_all(vectors::fit_work& all, const vectors::individual& x,
                                                            scalar most_rounds) {
  vectors::fit_round(&all, x, vectors::number(most_rounds));
}
__attribute__((flatten, noinline)) static void errors_of_all(vectors::fit_work& all, const vectors::individual& x,
                                                             vectors::number* errors) {
  vectors::fit_find_errors(&all, x, errors);
}

// A vector of fits under way.
struct FitLanes {
  const FitBatch& batch;
  vectors::number* rows;
  vectors::fit_work work;
  vectors::individual x;
  uint next;
  uint end;
  uint running = 0;
  uint fit[vectors::vector_lanes];
  bool runs[vectors::vector_lanes];

  FitLanes(const FitBatch& given, vectors::number* row_memory)
      : batch(given), rows(row_memory), next(given.settings.first), end(next + given.settings.count) {
    __builtin_memset(static_cast<void*>(rows), 0, batch.settings.columns * sizeof(vectors::number));
    x = {nullptr, batch.settings.columns, rows, static_cast<const scalar*>(batch.tables)};
    one::fit_work idle{};
    one::fit_begin(&idle, 1);
    for (uint k = 0; k < FIT_PARAMETERS; ++k) one::fit_begin_parameter(&idle, k, 1, 0, 2, 0);
    idle.status = FIT_LIMIT;
    for (uint lane = 0; lane < vectors::vector_lanes; ++lane) {
      runs[lane] = false;
      set_lane(work, lane, idle);
    }
  }

  void take_next(uint lane) {
    runs[lane] = next < end;
    if (!runs[lane]) return;
    fit[lane] = next++;
    ++running;
    one::fit_work begun;
    begin_one(begun, batch, fit[lane]);
    set_lane(work, lane, begun);
    set_row(reinterpret_cast<scalar*>(rows), lane, batch, fit[lane]);
  }

  void end_lane(uint lane, bool is_apart) {
    --running;
    runs[lane] = false;
    if (is_apart) return fit_one(batch, fit[lane]);
    one::fit_work ended;
    get_lane(work, lane, ended);
    end_one(ended, batch, fit[lane], batch.settings.fits);
  }

  void fit_all() {
    for (uint lane = 0; lane < vectors::vector_lanes; ++lane) take_next(lane);
    bool has_new = true;
    while (running != 0) {
      begin_together();
      if (has_new) measure_all(work, x);
      has_new = false;
      round_of_all(work, x, static_cast<scalar>(batch.settings.most_rounds));
      vectors::truth_value all_together[vectors::vector_lanes];
      find_together(all_together);
      scalar status[vectors::vector_lanes];
      work.status.store(status);
      for (uint lane = 0; lane < vectors::vector_lanes; ++lane) {
        if (!runs[lane] || (status[lane] == FIT_RUNS && all_together[lane] != 0)) continue;
        end_lane(lane, all_together[lane] == 0);
        take_next(lane);
        has_new = has_new || runs[lane];
      }
    }
  }

  // Errors of as many fits as there are lanes.
  void find_errors() {
    while (next < end) {
      for (uint lane = 0; lane < vectors::vector_lanes; ++lane) take_next(lane);
      begin_together();
      vectors::number errors[FIT_PAIRS];
      errors_of_all(work, x, errors);
      vectors::truth_value all_together[vectors::vector_lanes];
      find_together(all_together);
      for (uint lane = 0; lane < vectors::vector_lanes; ++lane) {
        if (!runs[lane]) continue;
        for (uint k = 0; k < FIT_PAIRS; ++k)
          static_cast<scalar*>(batch.errors)[static_cast<ulong>(k) * batch.settings.fits + fit[lane]] =
              reinterpret_cast<const scalar*>(&errors[k])[lane];
        if (all_together[lane] == 0) fit_one(batch, fit[lane]);
      }
    }
  }
};

static void fit_in_lanes(const FitBatch& batch, vectors::number* rows) {
  FitLanes lanes(batch, rows);
  if (batch.errors != nullptr) return lanes.find_errors();
  lanes.fit_all();
}
#endif

static void fit_batch(const FitBatch& batch) {
#ifdef FIT_VECTORS
  if (batch.settings.count >= vectors::vector_lanes / 2) {
    auto* const rows = static_cast<vectors::number*>(::operator new(
        batch.settings.columns * sizeof(vectors::number), std::align_val_t(sizeof(vectors::vector_of_reals))));
    fit_in_lanes(batch, rows);
    ::operator delete(rows, std::align_val_t(sizeof(vectors::vector_of_reals)));
    return;
  }
#endif
  for (uint i = 0; i < batch.settings.count; ++i) fit_one(batch, batch.settings.first + i);
}
