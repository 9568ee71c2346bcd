/* The standard errors and correlations of a fit's parameters. Included after levenberg_marquardt.h, likewise. */

/* Takes the slopes that a pass found at the parameters of a fit that begins there. Returns which fits need another
 * pass, with other units or steps: seven passes are enough. */
OBJECTIVE_FUNCTION truth fit_take_slopes(fit_work* w, const fit_found* found, uint count) {
  const truth is_done = w->repeats > (real)5;
  const truth again = fit_adapt(w, found, count) & !is_done;
  uint a;
  for (a = 0; a < FIT_PAIRS; ++a) w->normal[a] = OBJECTIVE_SELECT(again | is_done, w->normal[a], found->normal[a]);
  w->repeats = OBJECTIVE_SELECT(again, w->repeats, (real)6);
  return again;
}

/* Finds the inverse of the normal equations: of parameters a and b <= a, at a (a + 1) / 2 + b, their correlation, and
 * of a alone its error where residuals have variance 1. Errors are 0 of parameters that are fixed, and infinite where
 * slopes depend on each other. */
OBJECTIVE_FUNCTION void fit_invert(fit_work* w, real* errors) {
  const real vanishing = FIT_EITHER(0x1p-20f, 0x1p-48);
  real inverse[FIT_PARAMETERS];
  real root[FIT_PARAMETERS];
  truth singular = w->status != w->status;
  uint a;
  uint b;
  uint c;
  /* The factor L of L D L', then its inverse, in place. */
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    const uint row_a = a * (a + 1) / 2;
    const real own = w->normal[row_a + a];
    const truth is_free = w->lower[a] < w->upper[a];
    real pivot = own;
    for (b = 0; b < a; ++b) {
      real entry = w->normal[row_a + b];
      for (c = 0; c < b; ++c) entry -= errors[row_a + c] * (errors[b * (b + 1) / 2 + c] * inverse[c]);
      errors[row_a + b] = entry;
      pivot -= entry * (entry * inverse[b]);
    }
    {
      const truth lasts = is_free & (pivot > own * vanishing);
      singular = singular | (is_free & !lasts);
      inverse[a] = OBJECTIVE_SELECT(lasts, (real)1 / pivot, (real)0);
    }
  }
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    const uint row_a = a * (a + 1) / 2;
    for (b = 0; b < a; ++b) errors[row_a + b] = errors[row_a + b] * inverse[b];
    for (b = 0; b < a; ++b) {
      real sum = -errors[row_a + b];
      for (c = b + 1; c < a; ++c) sum -= errors[row_a + c] * errors[c * (c + 1) / 2 + b];
      errors[row_a + b] = sum;
    }
    errors[row_a + a] = (real)1;
  }
  /* The products of its columns, which the pivots weight. */
  for (a = 0; a < FIT_PARAMETERS; ++a)
    for (b = 0; b <= a; ++b) {
      real sum = (real)0;
      for (c = a; c < FIT_PARAMETERS; ++c)
        sum += errors[c * (c + 1) / 2 + a] * errors[c * (c + 1) / 2 + b] * inverse[c];
      w->normal[a * (a + 1) / 2 + b] = sum;
    }
  for (a = 0; a < FIT_PARAMETERS; ++a) root[a] = sqrt(w->normal[a * (a + 1) / 2 + a]);
  for (a = 0; a < FIT_PARAMETERS; ++a)
    for (b = 0; b <= a; ++b) {
      const truth are_free = (w->lower[a] < w->upper[a]) & (w->lower[b] < w->upper[b]);
      const real found_error = a == b ? root[a] * w->unit[a] * w->scale
                                      : w->normal[a * (a + 1) / 2 + b] / (root[a] * root[b]);
      const real unknown = a == b ? (real)INFINITY : (real)0;
      const real known = OBJECTIVE_SELECT(singular, unknown, found_error);
      errors[a * (a + 1) / 2 + b] = OBJECTIVE_SELECT(are_free, known, (real)0);
    }
}

/* Errors of a fit that begins at its parameters. */
OBJECTIVE_FUNCTION void fit_find_errors(fit_work* w, individual x, real* errors) {
  fit_found found;
  uint passes;
  fit_measure_data(w, x);
  for (passes = 0; passes < 7u; ++passes) {
    fit_evaluate(w, x, 0u, 1u, columns(x), &found);
    if (!FIT_ANY(fit_take_slopes(w, &found, columns(x)))) break;
  }
  fit_invert(w, errors);
}
