// A vector of reals that the text of an objective takes for one `real`: many individuals at a time, whatever loops the
// text has. Compiled at run time, within a namespace where `scalar` is the precision's type; so it has no guard.
//
// What a text decides by such a number (an `if`, the end of a loop, an index) is decided as the first individual needs
// it. Individuals that need it otherwise are noted, and evaluated again one by one. What would be computed in another
// precision than for one individual does not compile; then the text is compiled without this.

// One of the processor's vectors.
#if defined(OBJECTIVE_VECTOR_BYTES)
#elif defined(__AVX512F__)
#define OBJECTIVE_VECTOR_BYTES 64
#elif defined(__AVX__)
#define OBJECTIVE_VECTOR_BYTES 32
#else
#define OBJECTIVE_VECTOR_BYTES 16
#endif
#if defined(__clang__)
#define OBJECTIVE_LOOP
#else
#define OBJECTIVE_LOOP _Pragma("omp simd")
#endif
#define OBJECTIVE_INLINE [[maybe_unused, gnu::always_inline]] inline

typedef scalar vector_of_reals __attribute__((vector_size(OBJECTIVE_VECTOR_BYTES)));
typedef decltype(vector_of_reals{} < vector_of_reals{}) vector_of_truths;
typedef std::remove_cvref_t<decltype(vector_of_truths{}[0])> truth_value;

// A number has two vectors: while one waits for the result of its last operation, the other proceeds. (One vector type
// of their size would lie in memory and be read in other pieces than it was written in, which processors are slow at.)
constexpr unsigned vector_lanes = 2 * OBJECTIVE_VECTOR_BYTES / sizeof(scalar);

// What a comparison yields, all ones where it holds. As a bool it is the first individual's.
struct truth {
  vector_of_truths low;
  vector_of_truths high;
  OBJECTIVE_INLINE explicit operator bool() const;
  OBJECTIVE_INLINE truth operator!() const { return truth{~low, ~high}; }
  OBJECTIVE_INLINE void store(truth_value* to) const {
    __builtin_memcpy(to, &low, sizeof low);
    __builtin_memcpy(to + vector_lanes / 2, &high, sizeof high);
  }
};

// Lanes that have gone the first one's way so far.
static thread_local truth together;

truth::operator bool() const {
  const bool first = low[0] != 0;
  together.low &= first ? low : ~low;
  together.high &= first ? high : ~high;
  return first;
}

// A number whose sum with a real is another precision's.
template <class Number>
concept wider = std::floating_point<Number> &&(sizeof(Number) > sizeof(scalar));

struct number {
  vector_of_reals low;
  vector_of_reals high;

  number() = default;
  OBJECTIVE_INLINE explicit number(vector_of_reals first, vector_of_reals second) : low(first), high(second) {}
  // Less 0, since a sum with it would make -0 positive.
  template <class Number>
  requires std::is_arithmetic_v<Number> OBJECTIVE_INLINE number(Number one)
      : low(static_cast<scalar>(one) - vector_of_reals{}), high(low) {}
  OBJECTIVE_INLINE static number load(const scalar* from) {
    number loaded;
    __builtin_memcpy(&loaded.low, from, sizeof loaded.low);
    __builtin_memcpy(&loaded.high, from + vector_lanes / 2, sizeof loaded.high);
    return loaded;
  }
  OBJECTIVE_INLINE void store(scalar* to) const {
    __builtin_memcpy(to, &low, sizeof low);
    __builtin_memcpy(to + vector_lanes / 2, &high, sizeof high);
  }

  // The first individual's whole number.
  template <std::integral Integer>
  OBJECTIVE_INLINE explicit operator Integer() const {
    const Integer first = clopt::shared::saturated<Integer>(low[0]);
    for (unsigned l = 0; l < vector_lanes / 2; ++l) {
      if (clopt::shared::saturated<Integer>(low[l]) != first) together.low[l] = 0;
      if (clopt::shared::saturated<Integer>(high[l]) != first) together.high[l] = 0;
    }
    return first;
  }
  // Not a bool by the conversion above: 0.5 is true.
  OBJECTIVE_INLINE explicit operator bool() const;

  OBJECTIVE_INLINE number operator-() const { return number(-low, -high); }
  OBJECTIVE_INLINE number operator+() const { return *this; }

#define OBJECTIVE_OPERATOR(sign)                                                       \
  OBJECTIVE_INLINE friend number operator sign(number a, number b) {                   \
    return number(a.low sign b.low, a.high sign b.high);                               \
  }                                                                                    \
  template <wider Number>                                                              \
  friend number operator sign(number, Number) = delete;                                \
  template <wider Number>                                                              \
  friend number operator sign(Number, number) = delete;                                \
  OBJECTIVE_INLINE number& operator sign##=(number b) { return *this = *this sign b; } \
  template <wider Number>                                                              \
  number& operator sign##=(Number) = delete;
  OBJECTIVE_OPERATOR(+)
  OBJECTIVE_OPERATOR(-)
  OBJECTIVE_OPERATOR(*)
  OBJECTIVE_OPERATOR(/)
#undef OBJECTIVE_OPERATOR
#define OBJECTIVE_OPERATOR(sign)                                    \
  OBJECTIVE_INLINE friend truth operator sign(number a, number b) { \
    return truth{a.low sign b.low, a.high sign b.high};             \
  }                                                                 \
  template <wider Number>                                           \
  friend truth operator sign(number, Number) = delete;              \
  template <wider Number>                                           \
  friend truth operator sign(Number, number) = delete;
  OBJECTIVE_OPERATOR(<)
  OBJECTIVE_OPERATOR(<=)
  OBJECTIVE_OPERATOR(>)
  OBJECTIVE_OPERATOR(>=)
  OBJECTIVE_OPERATOR(==)
  OBJECTIVE_OPERATOR(!=)
#undef OBJECTIVE_OPERATOR

  OBJECTIVE_INLINE number& operator++() { return *this += number(1); }
  OBJECTIVE_INLINE number& operator--() { return *this -= number(1); }
  OBJECTIVE_INLINE number operator++(int) {
    const number before = *this;
    *this += number(1);
    return before;
  }
  OBJECTIVE_INLINE number operator--(int) {
    const number before = *this;
    *this -= number(1);
    return before;
  }
};

number::operator bool() const { return static_cast<bool>(*this != number(0)); }

// The conditional operator, of which both sides are computed.
OBJECTIVE_INLINE number vector_select(truth condition, number a, number b) {
  return number(condition.low ? a.low : b.low, condition.high ? a.high : b.high);
}
// Of two conditions without side effects. (|| and && stay the language's own, which decide by the first individual
// whether the second one is asked at all.)
OBJECTIVE_INLINE truth operator|(truth a, truth b) { return truth{a.low | b.low, a.high | b.high}; }
OBJECTIVE_INLINE truth operator&(truth a, truth b) { return truth{a.low & b.low, a.high & b.high}; }
#undef OBJECTIVE_SELECT
#define OBJECTIVE_SELECT(condition, a, b) vector_select(condition, a, b)

// A function of one individual's number for all: a loop without calls becomes vectors.
template <class Function>
OBJECTIVE_INLINE number vector_of(number x, Function function) {
  alignas(OBJECTIVE_VECTOR_BYTES) scalar values[vector_lanes];
  x.store(values);
  OBJECTIVE_LOOP
  for (unsigned l = 0; l < vector_lanes; ++l) values[l] = function(values[l]);
  return number::load(values);
}
template <class Function>
OBJECTIVE_INLINE number vector_of(number x, number y, Function function) {
  alignas(OBJECTIVE_VECTOR_BYTES) scalar values[vector_lanes];
  alignas(OBJECTIVE_VECTOR_BYTES) scalar others[vector_lanes];
  x.store(values);
  y.store(others);
  // Where gcc knows the values of others, it puts part of a round at the end of the one before, which makes no vectors.
  // The numbers lie in memory for the loop anyway.
  asm("" : "+m"(others));
  OBJECTIVE_LOOP
  for (unsigned l = 0; l < vector_lanes; ++l) values[l] = function(values[l], others[l]);
  return number::load(values);
}

#define OBJECTIVE_UNARY(name, expression)                                         \
  OBJECTIVE_INLINE number name(number all) {                                      \
    return vector_of(                                                             \
        all, [](scalar x) __attribute__((always_inline)) { return expression; }); \
  }
#define OBJECTIVE_BINARY(name, expression)                                                              \
  OBJECTIVE_INLINE number name(number all, number all_others) {                                         \
    return vector_of(                                                                                   \
        all, all_others, [](scalar x, scalar y) __attribute__((always_inline)) { return expression; }); \
  }
OBJECTIVE_UNARY(clopt_exp, clopt::shared::clopt_exp(x))
OBJECTIVE_UNARY(clopt_log, clopt::shared::clopt_log(x))
OBJECTIVE_UNARY(clopt_sin_moderate, clopt::shared::clopt_sin_moderate(x))
OBJECTIVE_UNARY(clopt_cos_moderate, clopt::shared::clopt_cos_moderate(x))
OBJECTIVE_UNARY(clopt_sinpi, clopt::shared::clopt_sinpi(x))
OBJECTIVE_UNARY(clopt_cospi, clopt::shared::clopt_cospi(x))
OBJECTIVE_UNARY(clopt_sinpi_fraction, clopt::shared::clopt_sinpi_fraction(x))
OBJECTIVE_BINARY(clopt_pow, clopt::shared::clopt_pow(x, y))
OBJECTIVE_UNARY(fabs, std::fabs(x))
OBJECTIVE_UNARY(floor, std::floor(x))
OBJECTIVE_UNARY(ceil, std::ceil(x))
OBJECTIVE_UNARY(trunc, std::trunc(x))
OBJECTIVE_UNARY(round, std::round(x))
OBJECTIVE_UNARY(rint, std::rint(x))
OBJECTIVE_UNARY(sqrt, std::sqrt(x))
OBJECTIVE_BINARY(copysign, std::copysign(x, y))
OBJECTIVE_BINARY(fmod, std::fmod(x, y))
#if OBJECTIVE_VIOLATION
OBJECTIVE_BINARY(constrained_numbers, clopt::shared::constrained(x, y, OBJECTIVE_MAXIMISE))
OBJECTIVE_INLINE number constrained(number value, number violation, uint) {
  return constrained_numbers(value, violation);
}
#endif
#undef OBJECTIVE_UNARY
#undef OBJECTIVE_BINARY
OBJECTIVE_INLINE number min(number a, number b) { return vector_select(b < a, b, a); }
OBJECTIVE_INLINE number max(number a, number b) { return vector_select(a < b, b, a); }
OBJECTIVE_INLINE truth isnan(number x) { return x != x; }
OBJECTIVE_INLINE truth isinf(number x) { return fabs(x) > number(std::numeric_limits<scalar>::max()); }
OBJECTIVE_INLINE truth isfinite(number x) { return fabs(x) <= number(std::numeric_limits<scalar>::max()); }
// Of numbers that all individuals share.
using clopt::shared::fabs;
using clopt::shared::floor;
using clopt::shared::max;
using clopt::shared::min;
using clopt::shared::rint;
using clopt::shared::sqrt;

// The short forms for all, and the long one for each argument that they do not serve, which are few.
template <class Function>
[[gnu::noinline, gnu::cold]] static number sin_of_large(number x, number found, Function function) {
  alignas(OBJECTIVE_VECTOR_BYTES) scalar values[vector_lanes];
  alignas(OBJECTIVE_VECTOR_BYTES) scalar results[vector_lanes];
  x.store(values);
  found.store(results);
  for (unsigned l = 0; l < vector_lanes; ++l)
    if (!(std::fabs(values[l]) <= clopt::shared::most_moderate<scalar>)) results[l] = function(values[l]);
  return number::load(results);
}
OBJECTIVE_INLINE bool has_large(number x) {
  const auto moderate = fabs(x) <= number(clopt::shared::most_moderate<scalar>);
  const auto both = moderate.low & moderate.high;
  truth_value all = -1;
  for (unsigned l = 0; l < vector_lanes / 2; ++l) all &= both[l];
  return all == 0;
}
OBJECTIVE_INLINE number clopt_sin(number x) {
  const number found = clopt_sin_moderate(x);
  if (!has_large(x)) return found;
  return sin_of_large(x, found, [](scalar one) { return clopt::shared::clopt_sin(one); });
}
OBJECTIVE_INLINE number clopt_cos(number x) {
  const number found = clopt_cos_moderate(x);
  if (!has_large(x)) return found;
  return sin_of_large(x, found, [](scalar one) { return clopt::shared::clopt_cos(one); });
}
