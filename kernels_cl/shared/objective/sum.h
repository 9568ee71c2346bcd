/* What becomes of an objective's text: included after it, once for each objective and precision.
 *
 * OBJECTIVE_FORM says what the text defines:
 *   0  real objective(individual x)               the value of a whole individual
 *   1  real objective_term(individual x, uint i)  a term a gene, summed in the order of a binary tree over
 *                                                 neighbours, ((t0+t1)+(t2+t3))+..., on every device
 *   2  int objective_count(individual x, uint i)  a whole number a gene, summed in any order
 *   3  int objective_word(individual x, uint w)   a whole number for 32 bits, summed in any order
 * OBJECTIVE_FINISH: whether it also has real objective_finish(individual x, real sum), applied to the sum.
 *
 * OBJECTIVE_RESIDUAL: the text defines real residual(individual x, uint j), a residual for each datum of the problem's
 * row; of form 0 then, the value is the sum of their squares.
 * OBJECTIVE_VIOLATION: whether it also has real violation(individual x), 0 or less where the individual keeps all
 * constraints. Then the value is what constraint.h makes of both (OBJECTIVE_MAXIMISE: of one that is maximised), or, with
 * OBJECTIVE_TERM 1 and 2, the objective's value and the violation by themselves.
 *
 * With a sum (forms 1 to 3) several work-items share an individual: each adds the contributions of a subtree with
 * objective_part(), they join the parts, and objective_value() makes the value of the whole sum.
 */
OBJECTIVE_FUNCTION real objective_with_violation(individual x, real value) {
#if !OBJECTIVE_VIOLATION || OBJECTIVE_TERM == 1
  (void)x;
  return value;
#elif OBJECTIVE_TERM == 2
  (void)value;
  return violation(x);
#elif !defined(__OPENCL_VERSION__)
  return constrained(value, violation(x), OBJECTIVE_MAXIMISE);
#elif OBJECTIVE_DOUBLE
  return constrained_double(value, violation(x), OBJECTIVE_MAXIMISE);
#else
  return constrained_float(value, violation(x), OBJECTIVE_MAXIMISE);
#endif
}

#if OBJECTIVE_FORM == 0

#ifdef OBJECTIVE_RESIDUAL
/* The residual of datum j: in units of its standard deviation where the text leaves that to us (OBJECTIVE_DIVIDES), and
 * 0 of a datum that is absent, which is NaN (OBJECTIVE_GAPS). */
OBJECTIVE_FUNCTION real objective_residual(individual x, uint j) {
#if OBJECTIVE_DIVIDES
  const real found = residual(x, j) / sigma(x, j);
#else
  const real found = residual(x, j);
#endif
#if OBJECTIVE_GAPS
  const real datum = row(x, j);
  return OBJECTIVE_SELECT(datum == datum, found, (real)0);
#else
  return found;
#endif
}

/* Added in the order of the data; fits add the residuals' squares likewise. */
OBJECTIVE_FUNCTION real objective(individual x) {
  const uint count = columns(x);
  real sum = 0;
  uint j;
  for (j = 0; j < count; ++j) {
    const real found = objective_residual(x, j);
    sum += found * found;
  }
  return sum;
}
#endif

OBJECTIVE_FUNCTION real objective_of(individual x) { return objective_with_violation(x, objective(x)); }

#else

#undef OBJECTIVE_ABSENT
#if OBJECTIVE_FORM == 1
typedef real objective_sum;
/* Adding a negative zero changes nothing, not even a negative zero. */
#define OBJECTIVE_ABSENT (-(real)0)
#else
typedef int objective_sum;
#define OBJECTIVE_ABSENT 0
#endif

/* States what holds, so that the compiler can leave out the check of an index. */
#undef OBJECTIVE_KNOWN
#if !OBJECTIVE_CHECKED
#define OBJECTIVE_KNOWN(condition)
#elif defined(__clang__)
#define OBJECTIVE_KNOWN(condition) __builtin_assume(condition)
#elif defined(__GNUC__) && !defined(__OPENCL_VERSION__)
#define OBJECTIVE_KNOWN(condition) \
  if (!(condition)) __builtin_unreachable()
#else
#define OBJECTIVE_KNOWN(condition)
#endif

/* How many contributions there are. */
OBJECTIVE_FUNCTION uint objective_contributions(individual x) {
#if OBJECTIVE_FORM == 3
  return (genes(x) + 31u) / 32u;
#else
  return genes(x);
#endif
}

OBJECTIVE_FUNCTION objective_sum objective_contribution(individual x, uint i) {
#if OBJECTIVE_FORM == 1
  return objective_term(x, i);
#elif OBJECTIVE_FORM == 2
  return objective_count(x, i);
#else
  return objective_word(x, i);
#endif
}

/* The value that a sum of all contributions stands for. */
OBJECTIVE_FUNCTION real objective_value(individual x, objective_sum sum) {
#if OBJECTIVE_FINISH
  return objective_with_violation(x, objective_finish(x, (real)sum));
#else
  return objective_with_violation(x, (real)sum);
#endif
}

#if OBJECTIVE_FORM == 1

/* What few genes there are may lie in registers, which have no addresses. */
#if defined(__OPENCL_VERSION__) && defined(OBJECTIVE_GENES) && OBJECTIVE_GENES <= 32
#define OBJECTIVE_UNROLL _Pragma("unroll")
#else
#define OBJECTIVE_UNROLL
#endif

/* The subtrees of 1, 2, 4, ... blocks that are complete, while a tree grows block by block. */
#undef OBJECTIVE_LEVELS
#ifndef OBJECTIVE_GENES
#define OBJECTIVE_LEVELS 30
#elif OBJECTIVE_GENES <= 16
#define OBJECTIVE_LEVELS 2
#elif OBJECTIVE_GENES <= 32
#define OBJECTIVE_LEVELS 3
#elif OBJECTIVE_GENES <= 128
#define OBJECTIVE_LEVELS 5
#elif OBJECTIVE_GENES <= 1024
#define OBJECTIVE_LEVELS 8
#else
#define OBJECTIVE_LEVELS 30
#endif

/* The tree over the contributions from begin to end - 1; begin is a multiple of a power of two that is at least 8 and
 * not less than end - begin. */
OBJECTIVE_FUNCTION real objective_part(individual x, uint begin, uint end) {
  real level[OBJECTIVE_LEVELS];
  real sum = OBJECTIVE_ABSENT;
  uint blocks = 0;
  uint k;
  uint i;
OBJECTIVE_UNROLL
  for (i = begin; i < end; i += 8u) {
    real term[8];
    real block;
    for (k = 0; k < 8u; ++k) {
      term[k] = OBJECTIVE_ABSENT;
      if (i + k < end) {
        OBJECTIVE_KNOWN(i + k < genes(x));
        term[k] = objective_term(x, i + k);
      }
    }
    block = ((term[0] + term[1]) + (term[2] + term[3])) + ((term[4] + term[5]) + (term[6] + term[7]));
    for (k = 0; (blocks >> k & 1u) != 0u; ++k) block = level[k] + block;
    level[k] = block;
    ++blocks;
  }
  for (k = 0; blocks >> k != 0u; ++k)
    if ((blocks >> k & 1u) != 0u) sum = level[k] + sum;
  return sum;
}

#else

/* The sum of the contributions from begin to end - 1. */
OBJECTIVE_FUNCTION int objective_part(individual x, uint begin, uint end) {
  int sum = 0;
  uint i;
  for (i = begin; i < end; ++i) {
    OBJECTIVE_KNOWN(i < objective_contributions(x));
    sum += objective_contribution(x, i);
  }
  return sum;
}

#endif

OBJECTIVE_FUNCTION real objective_of(individual x) {
  return objective_value(x, objective_part(x, 0u, objective_contributions(x)));
}

#endif
