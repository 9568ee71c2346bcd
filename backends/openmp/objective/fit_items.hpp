// What fits of rows and of long rows have in common on the host. Compiled at run time within a namespace, so it has no
// guard.

// Of two readings of levenberg_marquardt.h, one by one and in lanes.
using scalar = one::real;

// A fit that begins at a vector.
static void begin_at(one::fit_work& work, const void* guesses, uint own_guess, const void* lower, const void* upper,
                     uint fit, const fit_rows_settings& settings) {
  for (uint k = 0; k < FIT_PARAMETERS; ++k) {
    const auto bound = fit_place(k, fit, settings.own_bounds, settings.fits);
    one::fit_begin_parameter(&work, k, static_cast<const scalar*>(guesses)[fit_place(k, fit, own_guess, settings.fits)],
                             static_cast<const scalar*>(lower)[bound], static_cast<const scalar*>(upper)[bound],
                             settings.fixed);
  }
  one::fit_begin(&work, static_cast<scalar>(settings.loss_scale) + static_cast<scalar>(settings.loss_scale_rest));
}

// What one fit's work holds, to where the batch wants it.
template <class Batch>
static void end_one(const one::fit_work& work, const Batch& batch, uint fit, ulong fits) {
  for (uint k = 0; k < FIT_PARAMETERS; ++k) static_cast<scalar*>(batch.parameters)[k * fits + fit] = work.parameters[k];
  static_cast<scalar*>(batch.values)[fit] = work.value;
  static_cast<scalar*>(batch.values)[fits + fit] = work.scale;
  batch.states[fit] = static_cast<uint>(one::fit_final_status(&work)) + 256U * static_cast<uint>(work.rounds);
}

#ifdef FIT_VECTORS
// A work's reals lie one behind the other, so that lane l of each is every vector_lanes-th number of those of vectors.
constexpr uint work_reals = sizeof(one::fit_work) / sizeof(scalar);
static_assert(sizeof(vectors::fit_work) == work_reals * sizeof(vectors::number));

static void begin_together() {
  constexpr auto all_true = ~vectors::vector_of_truths{};
  vectors::together = {all_true, all_true};
}
// The lanes that went the first one's way.
static void find_together(vectors::truth_value* all_together) { vectors::together.store(all_together); }
#endif
