/* What a residual and its slopes count in a sum that is not one of squares. Included by levenberg_marquardt.h.
 *
 * FIT_LOSS: a loss of fit.h. Losses are those of scipy's least_squares; residual and slopes become those of squares with
 * the same gradient and, nearly, the same second derivatives (Triggs and others 2000). */

/* What a datum adds to the value, and factors of its residual and slopes. */
typedef struct {
  real value;
  real residual;
  real slope;
} fit_weighed;

/* The logarithm of 1 + x, whose digits that 1 + x has lost cancel out. */
OBJECTIVE_FUNCTION real fit_log_1p(real x) {
  const real sum = (real)1 + x;
  const real rest = sum - (real)1;
  return OBJECTIVE_SELECT(rest == (real)0, x, log(sum) * x / OBJECTIVE_SELECT(rest == (real)0, (real)1, rest));
}

#if FIT_LOSS == FIT_POISSON
/* The negative logarithm of the likelihood of counts, twice, above its least (Laurence and Chromy 2010). */
OBJECTIVE_FUNCTION fit_weighed fit_weigh(const fit_work* w, real datum, real residual) {
  const real model = residual + datum;
  const real apart = residual / OBJECTIVE_SELECT(datum > (real)0, datum, (real)1);
  const real of_counts = (real)2 * datum * (apart - fit_log_1p(apart));
  const real root = sqrt(model);
  fit_weighed found;
  found.value = OBJECTIVE_SELECT(datum == (real)0, (real)2 * model, of_counts) * w->scale * w->scale;
  found.residual = (real)1 / root;
  found.slope = found.residual;
  return found;
}
#else
OBJECTIVE_FUNCTION fit_weighed fit_weigh(const fit_work* w, real datum, real residual) {
  const real limit = w->loss_scale * w->scale;
  const real ratio = residual / limit;
  const real z = ratio * ratio;
  const real more = (real)1 + z;
  const real least = FIT_EITHER(0x1p-23f, 0x1p-52);
  real value;
  real first;
  real second; /* times 2 z */
  fit_weighed found;
#if FIT_LOSS == FIT_SOFT_L1
  const real root = sqrt(more);
  value = (real)2 * z / (root + (real)1);
  first = (real)1 / root;
  second = -z / (more * root);
#elif FIT_LOSS == FIT_HUBER
  const real size = fabs(ratio);
  const truth is_near = z <= (real)1;
  const real far = (real)1 / OBJECTIVE_SELECT(is_near, (real)1, size);
  value = OBJECTIVE_SELECT(is_near, z, (real)2 * size - (real)1);
  first = far;
  second = OBJECTIVE_SELECT(is_near, (real)0, -far);
#else
  value = fit_log_1p(z);
  first = (real)1 / more;
  second = (real)-2 * z / (more * more);
#endif
  found.value = value * limit * limit;
  found.slope = sqrt(fit_greater(first + second, least));
  found.residual = first / found.slope;
  return found;
}
#endif
