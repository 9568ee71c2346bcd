/// \file
/// Differential evolution written down once more, one vector after the other, with its own random numbers: it shares no
/// code with the library, but for elementary functions, which are given to it, and are tested by themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle_words.hpp"

namespace oracle {

/// What SHADE's distributions need.
struct Functions {
  float (*log)(float) = nullptr;
  float (*sinpi)(float) = nullptr;
  float (*cospi)(float) = nullptr;
};

/// A run of one problem.
struct Run {
  std::uint64_t seed = 1;
  std::uint32_t problem = 0;
  std::size_t population = 10;
  std::size_t dimensions = 3;
  std::string strategy = "rand1";  ///< without bin or exp
  bool exponential = false;
  bool unforced = false;  ///< whether a trial may be the vector itself
  std::string adapt = "none";
  std::string bounds = "clip";
  double weight = 0.5;
  double crossover = 0.9;
  double lower = -5;
  double upper = 5;
  std::uint32_t generations = 10;
  std::uint64_t evaluations = 0;  ///< at most; 0: any number
  double target = -std::numeric_limits<double>::infinity();
  double spread = -1;
  std::uint32_t stagnation = 0;                ///< generations; 0: any number
  bool restarts = false;                       ///< of a collapsed population, asked each 64 generations
  std::vector<std::vector<double>> initial{};  ///< the first of the initial vectors
  std::set<std::size_t> whole{};               ///< parameters that are whole numbers, with whole bounds
  Functions functions{};
};

template <class Real>
struct Outcome {
  std::vector<std::vector<Real>> vectors;
  std::vector<Real> values;
  std::vector<Real> violations;  ///< 0 without constraints
  std::uint32_t generations = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t invalid = 0;
  // Of the populations before the last restart.
  std::uint32_t restarts = 0;
  Real kept_value = std::numeric_limits<Real>::infinity();
  std::vector<Real> kept_vector{};
};

/// Carries a run out. \param objective of a vector.
template <class Real>
class Evolution {
 public:
  using Vector = std::vector<Real>;
  using Function = std::function<Real(const Vector&)>;
  /// \param violation none: there are no constraints. Its bits count from the first one, as many as \p bits.
  Evolution(const Run& run, Function objective, Function violation = {}, int bits = 0)
      : run_(run), objective_(std::move(objective)), violation_(std::move(violation)), bits_(bits) {}

  Outcome<Real> run() {
    begin();
    last_best_ = best();
    while (!is_over()) {
      if (has_collapsed())
        begin_again();
      else
        step();
      const auto now = best();
      if (now != last_best_) improved_at_ = outcome_.generations;
      last_best_ = now;
      if (run_.adapt == "lshade") shrink();
    }
    return outcome_;
  }

 private:
  // The first population, or another one in its place.
  void begin() {
    const auto generation = outcome_.generations;
    outcome_.vectors.clear();
    outcome_.values.clear();
    outcome_.violations.clear();
    for (std::uint32_t i = 0; i < run_.population; ++i) {
      Vector vector;
      for (std::uint32_t j = 0; j < run_.dimensions; ++j)
        vector.push_back(generation == 0 && i < run_.initial.size() ? static_cast<Real>(run_.initial[i][j])
                         : run_.whole.contains(j)                   ? anywhere_whole(generation, i, j)
                                                                    : anywhere(generation, i, 4, j));
      outcome_.values.push_back(value_of(vector));
      outcome_.violations.push_back(violation_of(vector));
      outcome_.vectors.push_back(vector);
    }
    outcome_.evaluations += run_.population;
    weights_.assign(run_.population, static_cast<Real>(run_.weight));
    crossovers_.assign(run_.population, static_cast<Real>(run_.crossover));
    memory_weights_.assign(run_.adapt == "shade" ? 100 : 6, Real{0.5});
    memory_crossovers_ = memory_weights_;
    next_ = 0;
    archive_.clear();
  }

  // Asked after generations 64, 128, ...: whether the values are much the same, and the least one what it was then.
  bool has_collapsed() {
    if (!run_.restarts || outcome_.generations % 64 != 0 || outcome_.generations == 0) return false;
    const auto [least, greatest] = std::minmax_element(outcome_.values.begin(), outcome_.values.end());
    const bool is_known = asked_ && *asked_ == *least;
    asked_ = *least;
    const Real part = std::ldexp(Real{1}, sizeof(Real) == 8 ? -30 : -13);
    return is_known && std::isfinite(*least) && std::isfinite(*greatest) &&
           *greatest - *least <= part * std::max(std::abs(*least), std::abs(*greatest));
  }

  void begin_again() {
    const auto least = std::min_element(outcome_.values.begin(), outcome_.values.end());
    if (*least < outcome_.kept_value) {
      outcome_.kept_value = *least;
      outcome_.kept_vector = outcome_.vectors[static_cast<std::size_t>(least - outcome_.values.begin())];
    }
    ++outcome_.generations;
    ++outcome_.restarts;
    begin();
  }

  Words words(std::uint32_t generation, std::uint32_t i, std::uint32_t draw) const {
    return philox({generation, i, draw, run_.problem}, run_.seed);
  }
  static std::uint32_t below(std::uint32_t word, std::size_t n) {
    return static_cast<std::uint32_t>(std::uint64_t{word} * n >> 32);
  }
  static Real fraction(std::uint32_t high, std::uint32_t low) {
    if constexpr (sizeof(Real) == 4) return std::ldexp(static_cast<Real>(high >> 8), -24);
    return static_cast<Real>(std::ldexp(static_cast<double>((std::uint64_t{high} << 32 | low) >> 11), -53));
  }
  Real anywhere(std::uint32_t generation, std::uint32_t i, std::uint32_t stage, std::uint32_t j) const {
    const auto block = words(generation, i, (stage << 24) + j / 2);
    const Real part = j % 2 == 0 ? fraction(block[0], block[1]) : fraction(block[2], block[3]);
    const auto lower = static_cast<Real>(run_.lower);
    const auto upper = static_cast<Real>(run_.upper);
    const Real value = lower + part * (upper - lower);
    return value > upper ? upper : value;
  }
  // One more than to the upper bound, and down.
  Real anywhere_whole(std::uint32_t generation, std::uint32_t i, std::uint32_t j) const {
    const auto block = words(generation, i, (4U << 24) + j / 2);
    const Real part = j % 2 == 0 ? fraction(block[0], block[1]) : fraction(block[2], block[3]);
    const auto lower = static_cast<Real>(run_.lower);
    const auto upper = static_cast<Real>(run_.upper);
    return std::min(upper, std::floor(lower + part * (upper + 1 - lower)));
  }
  // Up as often as the part behind the point says.
  Real rounded(Real value, std::uint32_t generation, std::uint32_t i, std::uint32_t j) const {
    const auto block = words(generation, i, (5U << 24) + j / 2);
    const Real part = j % 2 == 0 ? fraction(block[0], block[1]) : fraction(block[2], block[3]);
    const Real behind = value - std::floor(value);
    return part < behind ? std::ceil(value) : std::floor(value);
  }
  // 0 for who keeps all constraints; else as many bits as count.
  Real violation_of(const Vector& vector) const {
    const Real violation = violation_ ? violation_(vector) : Real{0};
    if (!(violation > 0)) return 0;
    int exponent = 0;
    const Real mantissa = std::frexp(violation, &exponent);
    return std::ldexp(std::floor(std::ldexp(mantissa, bits_ + 1)), exponent - bits_ - 1);
  }
  static bool is_better(Real violation, Real value, Real other_violation, Real other_value) {
    if (violation != other_violation) return violation < other_violation;
    return violation == 0 && value < other_value;
  }
  // What the best one is worth.
  std::pair<Real, Real> best() const {
    const auto first = ranking().front();
    return {outcome_.violations[first], outcome_.violations[first] == 0 ? outcome_.values[first] : Real{0}};
  }
  Real value_of(const Vector& vector) {
    const Real value = objective_(vector);
    if (!std::isnan(value)) return value;
    ++outcome_.invalid;
    return std::numeric_limits<Real>::infinity();
  }
  bool is_over() const {
    const auto [least, greatest] = std::minmax_element(outcome_.values.begin(), outcome_.values.end());
    const auto reached = best();
    return outcome_.generations >= run_.generations ||
           (reached.first == 0 && reached.second <= static_cast<Real>(run_.target)) ||
           *greatest - *least <= static_cast<Real>(run_.spread) ||
           (run_.stagnation != 0 && outcome_.generations - improved_at_ >= run_.stagnation) ||
           (run_.evaluations != 0 && outcome_.evaluations + alive() > run_.evaluations);
  }
  bool remembers() const { return run_.adapt != "none" && run_.adapt != "jde"; }
  std::size_t alive() const { return outcome_.values.size(); }
  std::size_t archive_room() const { return run_.adapt == "lshade" ? (alive() * 26 + 5) / 10 : alive(); }

  // The words that pick individuals and the parameter that is always taken: r1, r2, r3, the parameter, r4, r5. In
  // populations up to 256, a word serves twice: what is left below its product is the next word.
  std::vector<std::uint32_t> picking(std::uint32_t generation, std::uint32_t i) const {
    const auto first = words(generation, i, 0);
    const auto second = words(generation, i, 1);
    const auto third = words(generation, i, 2);
    const auto n = static_cast<std::uint32_t>(alive());
    const bool twice = n <= 256;
    return {first[0], twice ? first[0] * (n - 1) : third[0], first[1], twice ? first[1] * (n - 3) : third[1], second[0],
            second[1]};
  }

  // Individuals drawn one by one from those that are left.
  std::vector<std::size_t> draw(std::uint32_t generation, std::uint32_t i, std::size_t count) const {
    auto random = picking(generation, i);
    random.erase(random.begin() + 3);
    std::set<std::size_t> left;
    for (std::size_t other = 0; other < alive(); ++other)
      if (other != i) left.insert(other);
    std::vector<std::size_t> drawn;
    for (std::size_t n = 0; n < count; ++n) {
      auto place = left.begin();
      std::advance(place, below(random[n], left.size()));
      drawn.push_back(*place);
      left.erase(place);
      // The second one may be of the archive, whose vectors count behind the individuals.
      if (n == 0 && run_.strategy == "currenttopbest1")
        for (std::size_t archived = 0; archived < archive_.size(); ++archived) left.insert(alive() + archived);
    }
    return drawn;
  }

  // The sequence of decisions whether a parameter is taken. Decision k is made with word k mod 2 of the two of its
  // sixteen; a word lies in an interval, of which the lower part, of the size CR, stands for "taken".
  std::vector<bool> decisions(std::uint32_t generation, std::uint32_t i, std::uint64_t probability) const {
    std::vector<bool> result;
    for (std::uint32_t group = 0; result.size() < run_.dimensions; ++group) {
      const auto block = group == 0 ? words(generation, i, 0) : words(generation, i, (1U << 24) + (group - 1) / 2);
      const std::size_t first = group % 2 == 0 ? 2 : 0;
      std::uint64_t low[2] = {0, 0};
      std::uint64_t high[2] = {0xFFFFFFFF, 0xFFFFFFFF};
      for (std::size_t k = 0; k < 16; ++k) {
        const auto side = k % 2;
        const std::uint64_t middle = low[side] + ((high[side] - low[side]) * probability >> 32);
        const bool is_taken = probability >> 32 != 0 || block[first + side] < middle;
        (is_taken ? high : low)[side] = middle;
        result.push_back(is_taken);
      }
    }
    return result;
  }

  std::vector<bool> taken(std::uint32_t generation, std::uint32_t i, std::uint64_t probability) const {
    std::vector<bool> result(run_.dimensions);
    const auto forced = below(picking(generation, i)[3], run_.dimensions);
    const auto successes = decisions(generation, i, probability);
    for (std::size_t j = 0; j < run_.dimensions && !run_.exponential; ++j) result[j] = successes[j];
    for (std::size_t k = 0; run_.exponential && k + 1 < run_.dimensions && successes[k]; ++k)
      result[(forced + k + 1) % run_.dimensions] = true;
    if (!run_.unforced) result[forced] = true;
    return result;
  }

  Real bounded(Real value, std::uint32_t generation, std::uint32_t i, std::uint32_t j) const {
    const auto lower = static_cast<Real>(run_.lower);
    const auto upper = static_cast<Real>(run_.upper);
    if ((value >= lower && value <= upper) || run_.bounds == "none") return value;
    if (run_.bounds == "clip") return value < lower ? lower : upper;
    if (run_.bounds == "resample") return anywhere(generation, i, 2, j);
    const Real distance = value < lower ? lower - value : value - lower;
    const Real times = std::floor(distance / (upper - lower));
    const Real rest = distance - times * (upper - lower);
    const Real inside = std::fmod(times, Real{2}) == 0 ? lower + rest : upper - rest;
    return inside < lower ? lower : inside > upper ? upper : inside;
  }

  // Individuals from the best to the worst, the first of equal ones first.
  std::vector<std::size_t> ranking() const {
    std::vector<std::size_t> all(alive());
    std::iota(all.begin(), all.end(), 0);
    std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
      return is_better(outcome_.violations[a], outcome_.values[a], outcome_.violations[b], outcome_.values[b]);
    });
    return all;
  }

  // One of the best tenth or so; with SHADE the share is random too.
  std::size_t leader(std::uint32_t generation, std::uint32_t i, const std::vector<std::size_t>& ranks) const {
    const auto block = words(generation, i, 1);
    std::size_t leaders =
        std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(0.11 * static_cast<double>(alive()))));
    if (run_.adapt != "lshade") {
      const std::size_t most = std::max<std::size_t>(2, alive() / 5);
      leaders = 2 + below(block[3], most - 1);
    }
    return ranks[below(block[2], leaders)];
  }

  Vector mutant(const std::vector<std::size_t>& r, std::size_t i, std::size_t best, Real f) const {
    const auto& x = outcome_.vectors;
    Vector result;
    for (std::size_t j = 0; j < run_.dimensions; ++j) {
      const auto of = [&](std::size_t a) { return a < alive() ? x[a][j] : archive_[a - alive()][j]; };
      const auto difference = [&](std::size_t a, std::size_t b) -> Real { return f * (of(a) - of(b)); };
      const auto& name = run_.strategy;
      if (name == "rand1") result.push_back(x[r[0]][j] + difference(r[1], r[2]));
      if (name == "best1") result.push_back(x[best][j] + difference(r[0], r[1]));
      if (name == "currenttobest1" || name == "currenttopbest1")
        result.push_back((x[i][j] + difference(best, i)) + difference(r[0], r[1]));
      if (name == "rand2") result.push_back((x[r[0]][j] + difference(r[1], r[2])) + difference(r[3], r[4]));
      if (name == "best2") result.push_back((x[best][j] + difference(r[0], r[1])) + difference(r[2], r[3]));
    }
    return result;
  }

  struct Control {
    Real weight;
    Real crossover;
  };

  static float part(std::uint32_t word) { return std::ldexp(static_cast<float>(word >> 8), -24); }

  Control jde(std::uint32_t generation, std::uint32_t i) const {
    const auto block = words(generation, i, 3U << 24);
    constexpr std::uint32_t tenth = 429496730;
    Control control{weights_[i], crossovers_[i]};
    if (block[0] < tenth)
      control.weight = static_cast<Real>(0.1F) + static_cast<Real>(0.9F) * static_cast<Real>(part(block[1]));
    if (block[2] < tenth) control.crossover = static_cast<Real>(part(block[3]));
    return control;
  }

  Control shade(std::uint32_t generation, std::uint32_t i) const {
    auto block = words(generation, i, 3U << 24);
    const auto& functions = run_.functions;
    const auto place = below(block[0], memory_weights_.size());
    const auto tenth = static_cast<Real>(0.1F);
    Control control{tenth, 0};
    if (memory_crossovers_[place] >= 0) {
      const float normal =
          std::sqrt(-2.0F * functions.log(1.0F - part(block[1]))) * functions.cospi(2.0F * part(block[2]));
      control.crossover = std::clamp(memory_crossovers_[place] + tenth * static_cast<Real>(normal), Real{0}, Real{1});
    }
    for (std::uint32_t attempt = 1; attempt < 64; ++attempt) {
      const float turn = part(block[3]) - 0.5F;
      const float cauchy = functions.sinpi(turn) / functions.cospi(turn);
      const Real weight = memory_weights_[place] + tenth * static_cast<Real>(cauchy);
      if (weight > 0) {
        control.weight = std::min(weight, Real{1});
        break;
      }
      block = words(generation, i, (3U << 24) + attempt);
    }
    return control;
  }

  Control control_of(std::uint32_t generation, std::uint32_t i) const {
    if (run_.adapt == "jde") return jde(generation, i);
    if (remembers()) return shade(generation, i);
    return {static_cast<Real>(run_.weight), static_cast<Real>(run_.crossover)};
  }

  // A success: what was of use, and the vector that goes.
  struct Success {
    std::uint32_t i;
    Real gain;
    Control control;
    Vector replaced;
  };

  void archive(const std::vector<Success>& successes) {
    if (run_.strategy != "currenttopbest1") return;
    for (const auto& success : successes) {
      if (archive_.size() < archive_room())
        archive_.push_back(success.replaced);
      else
        archive_[below(words(outcome_.generations, success.i, (3U << 24) + 64)[0], archive_room())] = success.replaced;
    }
  }

  void remember(const std::vector<Success>& successes) {
    Real gains = 0;
    Real weights = 0;
    Real weight_squares = 0;
    Real crossovers = 0;
    Real crossover_squares = 0;
    for (const auto& [i, gain, control, replaced] : successes) {
      gains += gain;
      weights += gain * control.weight;
      weight_squares += gain * control.weight * control.weight;
      crossovers += gain * control.crossover;
      crossover_squares += gain * control.crossover * control.crossover;
    }
    if (!(weights > 0)) return;
    auto& crossover = memory_crossovers_[next_];
    memory_weights_[next_] = weight_squares / weights;
    if (run_.adapt != "lshade")
      crossover = crossovers / gains;
    else
      crossover = crossover < 0 || crossovers == 0 ? Real{-1} : crossover_squares / crossovers;
    next_ = (next_ + 1) % memory_weights_.size();
  }

  void step() {
    const auto generation = ++outcome_.generations;
    const auto ranks = ranking();
    auto next = outcome_;
    std::vector<Success> successes;
    const std::size_t count = run_.strategy == "rand2" ? 5 : run_.strategy == "best2" ? 4 : 3;
    for (std::uint32_t i = 0; i < alive(); ++i) {
      const auto control = control_of(generation, i);
      const auto probability = static_cast<std::uint64_t>(
          std::ldexp(run_.adapt == "none" ? run_.crossover : static_cast<double>(control.crossover), 32));
      const auto from_mutant = taken(generation, i, probability);
      const auto best_now = run_.strategy == "currenttopbest1" ? leader(generation, i, ranks) : ranks.front();
      const auto changed = mutant(draw(generation, i, count), i, best_now, control.weight);
      Vector trial = outcome_.vectors[i];
      for (std::uint32_t j = 0; j < run_.dimensions; ++j)
        if (from_mutant[j]) {
          trial[j] = bounded(changed[j], generation, i, j);
          if (run_.whole.contains(j)) trial[j] = rounded(trial[j], generation, i, j);
        }
      const Real value = value_of(trial);
      const Real violation = violation_of(trial);
      ++next.evaluations;
      if (!is_better(violation, value, outcome_.violations[i], outcome_.values[i])) continue;
      next.values[i] = value;
      next.violations[i] = violation;
      next.vectors[i] = trial;
      weights_[i] = control.weight;
      crossovers_[i] = control.crossover;
      const Real gain = violation_ ? Real{1} : outcome_.values[i] - value;
      if (remembers() && std::isfinite(gain)) successes.push_back({i, gain, control, outcome_.vectors[i]});
    }
    archive(successes);
    remember(successes);
    next.invalid = outcome_.invalid;
    outcome_ = next;
  }

  // L-SHADE: the worst go, and the last ones that stay take their places.
  void shrink() {
    const bool by_evaluations = run_.evaluations != 0;
    const auto past = static_cast<double>(by_evaluations ? outcome_.evaluations : outcome_.generations);
    const auto all = static_cast<double>(by_evaluations ? run_.evaluations : run_.generations);
    const std::size_t least = run_.strategy == "rand2" ? 6 : run_.strategy == "best2" ? 5 : 4;
    const auto gone = std::floor(static_cast<double>(run_.population - least) * std::min(past, all) / all + 0.5);
    const auto left = run_.population - static_cast<std::size_t>(gone);
    const auto ranks = ranking();
    std::vector<std::size_t> moving;
    for (std::size_t rank = 0; rank < left; ++rank)
      if (ranks[rank] >= left) moving.push_back(ranks[rank]);
    std::sort(moving.begin(), moving.end());
    auto mover = moving.begin();
    for (std::size_t rank = left; rank < alive(); ++rank) {
      if (ranks[rank] >= left) continue;
      outcome_.vectors[ranks[rank]] = outcome_.vectors[*mover];
      outcome_.values[ranks[rank]] = outcome_.values[*mover];
      outcome_.violations[ranks[rank]] = outcome_.violations[*mover];
      ++mover;
    }
    outcome_.vectors.resize(left);
    outcome_.values.resize(left);
    outcome_.violations.resize(left);
    while (archive_.size() > archive_room()) {
      const auto size = static_cast<std::uint32_t>(archive_.size());
      archive_[below(words(outcome_.generations, size, (3U << 24) + 65)[0], size)] = archive_.back();
      archive_.pop_back();
    }
  }

  Run run_;
  Function objective_;
  Function violation_;
  int bits_;
  std::pair<Real, Real> last_best_{};
  std::uint32_t improved_at_ = 0;
  std::optional<Real> asked_;
  Outcome<Real> outcome_;
  std::vector<Real> weights_;
  std::vector<Real> crossovers_;
  std::vector<Real> memory_weights_;
  std::vector<Real> memory_crossovers_;
  std::size_t next_ = 0;
  std::vector<Vector> archive_;
};

}  // namespace oracle
