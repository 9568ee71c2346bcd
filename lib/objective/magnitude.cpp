#include "magnitude.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "precision.hpp"
#include "tokens.hpp"

namespace clopt::objective {
namespace {

using namespace std::string_view_literals;

constexpr std::array other_whole_types{"bool"sv, "size_t"sv, "unsigned"sv};
constexpr std::array real_types{"real"sv, "float"sv, "double"sv};
// Those whose value is at most their largest argument, or 1.
constexpr std::array no_larger{"fabs"sv, "abs"sv,  "floor"sv, "ceil"sv,  "round"sv, "trunc"sv,
                               "rint"sv, "sqrt"sv, "sin"sv,   "cos"sv,   "min"sv,   "max"sv,
                               "fmin"sv, "fmax"sv, "clamp"sv, "cospi"sv, "sinpi"sv};
constexpr std::array comparisons{"=="sv, "!="sv, "<"sv, ">"sv, "<="sv, ">="sv, "&&"sv, "||"sv};

bool is_whole_type(std::string_view word) { return is_one_of(whole_types, word) || is_one_of(other_whole_types, word); }
bool is_type(std::string_view word) { return is_whole_type(word) || is_one_of(real_types, word); }

// What is beyond this reading.
struct NotUnderstood {};

// Variables, by their names alone, have the largest of what is assigned to them and the sum of what is added, as often
// as loops do it. What they have is asked for before it is known, so that the text is read until nothing grows any
// more.
class Magnitudes {
 public:
  Magnitudes(const Objective& objective, std::uint64_t genes, double largest_gene)
      : objective_(objective), tokens_(tokens_of(objective.text())), count_(static_cast<double>(genes)) {
    switch (objective.kind()) {
      case GeneKind::bits: gene_ = 1; break;
      case GeneKind::permutation: gene_ = count_; break;
      default: gene_ = largest_gene;
    }
  }

  double largest() {
    if (std::any_of(tokens_.begin(), tokens_.end(), [](const auto& each) { return each.in_directive; }))
      throw NotUnderstood();
    constexpr int most_readings = 64;  // what halves and adds ends after 54
    for (int reading = 0; reading < most_readings; ++reading) {
      known_ = std::exchange(variables_, {});
      largest_ = 0;
      at_ = 0;
      while (at_ < tokens_.size()) read_function();
      if (variables_ != known_) continue;
      for (const auto& [name, sums] : variables_) largest_ = std::max(largest_, sums.first + sums.second);
      return std::max(largest_, sum_of_terms());
    }
    return std::numeric_limits<double>::infinity();
  }

 private:
  std::string_view word() const { return at_ < tokens_.size() ? tokens_[at_].text : std::string_view{}; }
  std::string_view next() const { return at_ + 1 < tokens_.size() ? tokens_[at_ + 1].text : std::string_view{}; }
  bool is_identifier() const { return at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::identifier; }
  bool take(std::string_view wanted) {
    if (word() != wanted) return false;
    ++at_;
    return true;
  }
  static void require(bool is_understood) {
    if (!is_understood) throw NotUnderstood();
  }
  void require_word(std::string_view wanted) { require(take(wanted)); }
  std::string name() {
    require(is_identifier());
    return std::string(tokens_[at_++].text);
  }
  // An operator of one or two characters; "" where none begins here.
  std::string_view sign() const {
    if (at_ >= tokens_.size() || is_identifier()) return {};
    if (next().data() == word().data() + 1) {
      static constexpr std::array doubled{"+="sv, "-="sv, "*="sv, "/="sv, "%="sv, "++"sv, "--"sv, "<<"sv, ">>"sv,
                                          "<="sv, ">="sv, "=="sv, "!="sv, "&&"sv, "||"sv, "|="sv, "&="sv, "^="sv};
      const std::string_view both(tokens_[at_].text.data(), 2);
      if (is_one_of(doubled, both)) return both;
    }
    return tokens_[at_].text;
  }
  bool take_sign(std::string_view wanted) {
    if (sign() != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  void take_type() {
    require(word() == "const" || is_type(word()));
    while (word() == "const" || is_type(word())) ++at_;
  }

  void assign(const std::string& variable, double value) {
    require(!counters_.contains(variable));
    auto& largest = variables_[variable].first;
    largest = std::max(largest, value);
  }
  void add(const std::string& variable, double each) {
    require(!counters_.contains(variable) && variables_.contains(variable));
    variables_[variable].second += times_ * each;
  }
  double bound_of(const std::string& variable) {
    const auto& [assigned, added] = variables_[variable];
    const auto& [assigned_before, added_before] = known_[variable];
    return std::max(assigned + added, assigned_before + added_before);
  }
  double sum_of_terms() const {
    const auto found = known_.find("objective_term(");
    return found == known_.end() ? 0 : found->second.first * count_;
  }
  double seen(double value) {
    if (indexes_ == 0) largest_ = std::max(largest_, value);
    return value;
  }

  // What it returns is a variable of its name and a bracket.
  void read_function() {
    take_type();
    const auto function = name();
    auto& parameters = parameters_[function];
    parameters.clear();
    require_word("(");
    do {
      if (take("individual")) {
        individuals_.insert(name());
        parameters.emplace_back();
        continue;
      }
      take_type();
      parameters.push_back(name());
      assign(parameters.back(), 0);
    } while (take(","));
    require_word(")");
    if (function == "objective_term") assign(parameters.back(), count_);
    if (function == "objective_finish") assign(parameters.back(), sum_of_terms());
    returned_ = function + "(";
    assign(returned_, 0);
    times_ = 1;
    require(word() == "{");
    read_statement();
  }

  void read_statement() {
    if (take("{")) {
      while (!take("}")) read_statement();
      return;
    }
    if (take(";")) return;
    if (take("if")) {
      require_word("(");
      value();
      require_word(")");
      read_statement();
      if (take("else")) read_statement();
      return;
    }
    if (take("for")) return read_loop();
    if (take("return"))
      assign(returned_, value());
    else if (word() == "const" || is_type(word()))
      read_declaration();
    else if (!take("continue") && !take("break"))
      read_assignment();
    require_word(";");
  }

  // for (uint j = A; C; ++j), where C compares j with what ends it: there are no more rounds than both have.
  void read_loop() {
    require_word("(");
    require(is_whole_type(word()));
    take_type();
    const auto counter = name();
    require_word("=");
    double rounds = value() + 1;
    require_word(";");
    assign(counter, 0);
    head_ = counter;
    is_ended_ = false;
    compared_ = 0;
    compared();
    head_.clear();
    require_word(";");
    rounds += compared_;
    require(is_ended_);
    const bool is_before = take_sign("++") || take_sign("--");
    require(name() == counter);
    if (take_sign("+=") || take_sign("-="))
      value();
    else
      require(is_before || take_sign("++") || take_sign("--"));
    require_word(")");
    assign(counter, rounds);
    counters_.insert(counter);
    const auto outside = times_;
    times_ *= rounds;
    read_statement();
    times_ = outside;
    counters_.erase(counter);
  }

  void read_declaration() {
    take_type();
    do {
      const auto variable = name();
      assign(variable, take("=") ? value() : 0);
    } while (take(","));
  }

  void read_assignment() {
    if (take_sign("++") || take_sign("--")) return add(name(), 1);
    const auto variable = name();
    if (take_sign("+=") || take_sign("-=")) return add(variable, value());
    if (take_sign("++") || take_sign("--")) return add(variable, 1);
    require(take_sign("="));
    if (word() == variable && (next() == "+" || next() == "-")) {
      at_ += 2;
      return add(variable, value());
    }
    require(variables_.contains(variable));
    assign(variable, value());
  }

  double value() {
    auto chosen = compared();
    if (!take_sign("?")) return chosen;
    chosen = value();
    require_word(":");
    return std::max(chosen, value());
  }

  double compared() {
    auto sum = added();
    while (is_one_of(comparisons, sign())) {
      require(head_.empty() || sign() != "||");
      at_ += sign().size();
      compared_ += sum + added();
      sum = 1;
    }
    return sum;
  }

  double added() {
    auto sum = multiplied();
    while (take_sign("+") || take_sign("-")) sum += multiplied();
    return seen(sum);
  }

  double multiplied() {
    auto product = unary();
    while (true) {
      if (take_sign("*")) {
        product = seen(product * unary());
      } else if (take_sign("%")) {
        // What is rounded has another remainder, also for an index.
        largest_ = std::max(largest_, product);
        product = std::min(product, unary());
        require(head_.empty());
      } else if (take_sign("/")) {
        const auto divisor = number();
        require(divisor > 0 && head_.empty());
        product = seen(product / divisor);
      } else {
        return product;
      }
    }
  }

  double unary() {
    if (take_sign("-") || take_sign("+")) return unary();
    if (take_sign("!")) {
      unary();
      return 1;
    }
    if (word() == "(" && is_type(next())) {
      at_ += 2;
      require_word(")");
      return unary();
    }
    if (take("(")) {
      const auto inside = value();
      require_word(")");
      return inside;
    }
    return is_identifier() ? named() : number();
  }

  double number() {
    require(at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::number);
    const auto number = literal_of(tokens_[at_++].text, false);
    require(number.has_value());
    return std::abs(*number);
  }

  double named() {
    const auto word = name();
    if (take("(")) {
      // What a loop's counter is an argument of may be anything.
      const auto head = std::exchange(head_, {});
      const auto result = called(word);
      head_ = head;
      return result;
    }
    if (word == head_) {
      is_ended_ = true;
      return 0;
    }
    if (variables_.contains(word)) return bound_of(word);
    if (const auto found = objective_.constants().find(word); found != objective_.constants().end())
      return std::abs(found->second);
    require(word.ends_with("_size"));
    const auto found = objective_.tables().find(word.substr(0, word.size() - 5));
    require(found != objective_.tables().end());
    return static_cast<double>(found->second.second);
  }

  // An index is in no value.
  void take_index() {
    require(individuals_.contains(name()));
    ++indexes_;
    if (take(",")) value();
    --indexes_;
    require_word(")");
  }

  double called(const std::string& function) {
    if (function == "gene" || function == "genes") {
      take_index();
      return function == "gene" ? gene_ : count_;
    }
    if (objective_.tables().contains(function)) {
      take_index();
      return largest_of_table(function);
    }
    if (const auto own = parameters_.find(function); own != parameters_.end()) return called_own(own->second, function);
    require(is_one_of(no_larger, function));
    double largest = 1;
    do largest = std::max(largest, value());
    while (take(","));
    require_word(")");
    return largest;
  }

  double called_own(const std::vector<std::string>& parameters, const std::string& function) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (i != 0) require_word(",");
      if (parameters[i].empty()) {
        require(individuals_.contains(name()));
        continue;
      }
      // A loop around the call may have a counter of that name.
      const auto given = value();
      auto& largest = variables_[parameters[i]].first;
      largest = std::max(largest, given);
    }
    require_word(")");
    return bound_of(function + "(");
  }

  // Where some have digits behind the point, sums have no exact value anyway.
  double largest_of_table(const std::string& name) {
    const auto [known, is_new] = tables_.try_emplace(name, 1);
    if (!is_new) return known->second;
    const auto& [first, size] = objective_.tables().at(name);
    const auto table = std::span(objective_.table_values()).subspan(first, size);
    if (std::all_of(table.begin(), table.end(), [](double each) { return each == std::floor(each); }))
      for (const double each : table) known->second = std::max(known->second, std::abs(each));
    return known->second;
  }

  using Variables = std::map<std::string, std::pair<double, double>, std::less<>>;  // assigned, added

  const Objective& objective_;
  std::vector<Token> tokens_;
  double count_;
  double gene_ = 1;
  std::size_t at_ = 0;
  double largest_ = 0;  // of all partial results
  int indexes_ = 0;     // around what is read
  double times_ = 1;    // that loops around a statement do it
  std::string returned_;
  std::string head_;                // the counter of the loop whose condition is read
  bool is_ended_ = false;           // whether it stands there
  double compared_ = 0;             // the sum of what is compared there
  std::set<std::string> counters_;  // of the loops around it
  std::set<std::string> individuals_;
  std::map<std::string, std::vector<std::string>> parameters_;  // of functions; "" for an individual
  std::map<std::string, double> tables_;                        // the largest of each
  Variables variables_;                                         // in this reading
  Variables known_;                                             // in the one before
};

}  // namespace

std::optional<double> largest_value(const Objective& objective, std::uint64_t genes, double largest_gene) {
  try {
    return Magnitudes(objective, genes, largest_gene).largest();
  } catch (const NotUnderstood&) {
    return std::nullopt;
  }
}

}  // namespace clopt::objective
