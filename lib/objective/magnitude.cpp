#include "magnitude.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operands.hpp"
#include "precision.hpp"
#include "tokens.hpp"

namespace clopt::objective {
namespace {

using namespace std::string_view_literals;

constexpr std::array types_of_numbers{"real"sv, "float"sv,  "double"sv, "bool"sv, "char"sv,  "uchar"sv,    "short"sv,
                                      "int"sv,  "ushort"sv, "uint"sv,   "long"sv, "ulong"sv, "unsigned"sv, "size_t"sv};
constexpr std::array same_of_one{"fabs"sv, "abs"sv, "floor"sv, "ceil"sv, "round"sv, "trunc"sv, "rint"sv};
constexpr std::array one_of_several{"min"sv, "max"sv, "fmin"sv, "fmax"sv, "clamp"sv};

// What is beyond this reading.
struct NotUnderstood {};

// Variables have the sum of all that is assigned to them, as often as loops do it. What they have is asked for before
// it is known, so that the text is read until nothing grows any more.
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
    constexpr int most_readings = 16;
    for (int reading = 0; reading < most_readings; ++reading) {
      const auto before = variables_;
      variables_.clear();
      known_ = before;
      returned_ = 0;
      read_function();
      if (variables_ == before) return returned_;
    }
    throw NotUnderstood();
  }

 private:
  std::string_view word() const { return at_ < tokens_.size() ? tokens_[at_].text : std::string_view{}; }
  std::string_view next() const { return at_ + 1 < tokens_.size() ? tokens_[at_ + 1].text : std::string_view{}; }
  bool is_joined() const { return at_ + 1 < tokens_.size() && tokens_[at_ + 1].begin == tokens_[at_].end(); }
  bool is_identifier() const { return at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::identifier; }
  bool take(std::string_view wanted) {
    if (word() != wanted) return false;
    ++at_;
    return true;
  }
  void require(std::string_view wanted) {
    if (!take(wanted)) throw NotUnderstood();
  }
  std::string name() {
    if (!is_identifier()) throw NotUnderstood();
    return std::string(tokens_[at_++].text);
  }
  // An operator of one or two characters; "" where none begins here.
  std::string_view sign() const {
    if (at_ >= tokens_.size() || tokens_[at_].kind != Token::Kind::other) return {};
    if (is_joined() && tokens_[at_ + 1].kind == Token::Kind::other) {
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

  // The text is one function, with nothing beside it.
  void read_function() {
    at_ = 0;
    if (tokens_.empty() ||
        std::any_of(tokens_.begin(), tokens_.end(), [](const auto& each) { return each.in_directive; }))
      throw NotUnderstood();
    require("real");
    is_sum_ = word() == "objective_term";
    if (!is_sum_ && word() != "objective") throw NotUnderstood();
    ++at_;
    require("(");
    require("individual");
    individual_ = name();
    if (is_sum_) {
      require(",");
      require("uint");
      index_ = name();
      variables_[index_] = known_[index_] = count_;
    }
    require(")");
    times_ = 1;
    read_block();
    if (at_ != tokens_.size()) throw NotUnderstood();
    if (is_sum_) returned_ *= count_;
  }

  void read_block() {
    require("{");
    while (!take("}")) read_statement();
  }

  void read_statement() {
    if (word() == "{") return read_block();
    if (take(";")) return;
    if (take("if")) return read_condition();
    if (take("for")) return read_loop();
    if (take("return")) {
      returned_ = std::max(returned_, value());
      return require(";");
    }
    if (word() == "const" || is_one_of(types_of_numbers, word()))
      read_declaration();
    else
      read_assignment();
    require(";");
  }

  void read_condition() {
    require("(");
    value();
    require(")");
    read_statement();
    if (take("else")) read_statement();
  }

  // for (uint j = A; j < B; ++j), where no variable that is assigned to stands in A and B.
  void read_loop() {
    require("(");
    if (!is_one_of(types_of_numbers, word())) throw NotUnderstood();
    ++at_;
    const auto counter = name();
    require("=");
    const auto begin = bound_of_loop();
    require(";");
    if (name() != counter || !(take_sign("<") || take_sign("<="))) throw NotUnderstood();
    const auto end = bound_of_loop();
    require(";");
    const bool is_before = take_sign("++");
    if (name() != counter || (!is_before && !take_sign("++"))) throw NotUnderstood();
    require(")");
    const double largest = begin + end + 1;
    if (!counters_.emplace(counter, largest).second || variables_.contains(counter)) throw NotUnderstood();
    const auto outside = times_;
    times_ *= largest;
    read_statement();
    times_ = outside;
    counters_.erase(counter);
  }

  double bound_of_loop() {
    is_bound_ = true;
    const auto bound = value();
    is_bound_ = false;
    return bound;
  }

  void read_declaration() {
    while (word() == "const" || is_one_of(types_of_numbers, word())) ++at_;
    do {
      const auto variable = name();
      if (counters_.contains(variable)) throw NotUnderstood();
      variables_[variable] += take("=") ? value() : 0;
    } while (take(","));
  }

  void read_assignment() {
    if (take_sign("++")) return add(name(), 1);
    const auto variable = name();
    if (take_sign("+=") || take_sign("-=")) return add(variable, value());
    if (take_sign("++")) return add(variable, 1);
    if (sign() != "=") throw NotUnderstood();
    ++at_;
    if (word() == variable && (next() == "+" || next() == "-")) {
      at_ += 2;
      return add(variable, value());
    }
    require_variable(variable);
    variables_[variable] += value();
  }

  void add(const std::string& variable, double each) {
    require_variable(variable);
    variables_[variable] += times_ * each;
  }

  void require_variable(const std::string& variable) const {
    if (counters_.contains(variable) || !variables_.contains(variable)) throw NotUnderstood();
  }

  double value() {
    auto chosen = compared();
    if (!take_sign("?")) return chosen;
    chosen = value();
    require(":");
    return std::max(chosen, value());
  }

  double compared() {
    static constexpr std::array signs{"=="sv, "!="sv, "<"sv, ">"sv, "<="sv, ">="sv, "&&"sv, "||"sv};
    auto sum = added();
    while (is_one_of(signs, sign())) {
      at_ += sign().size();
      added();
      sum = 1;
    }
    return sum;
  }

  double added() {
    auto sum = multiplied();
    while (take_sign("+") || take_sign("-")) sum += multiplied();
    return sum;
  }

  double multiplied() {
    auto product = unary();
    while (true) {
      if (take_sign("*"))
        product *= unary();
      else if (take_sign("%"))
        product = std::min(product, unary());
      else
        return product;
    }
  }

  double unary() {
    if (take_sign("-") || take_sign("+")) return unary();
    if (take_sign("!")) {
      unary();
      return 1;
    }
    if (word() == "(" && is_one_of(types_of_numbers, next())) {
      at_ += 2;
      require(")");
      return unary();
    }
    if (take("(")) {
      const auto inside = value();
      require(")");
      return inside;
    }
    return is_identifier() ? named() : number();
  }

  double number() {
    if (at_ >= tokens_.size() || tokens_[at_].kind != Token::Kind::number) throw NotUnderstood();
    return whole(literal_of(tokens_[at_++].text, false).value_or(0.5));
  }

  static double whole(double number) {
    if (number != std::floor(number) || !std::isfinite(number)) throw NotUnderstood();
    return std::abs(number);
  }

  double named() {
    const auto word = name();
    if (take("(")) return called(word);
    if (const auto found = counters_.find(word); found != counters_.end()) return found->second;
    if (variables_.contains(word)) {
      if (is_bound_ && word != index_) throw NotUnderstood();
      return known_[word];
    }
    if (const auto found = objective_.constants().find(word); found != objective_.constants().end())
      return whole(found->second);
    if (word.ends_with("_size"))
      if (const auto found = objective_.tables().find(word.substr(0, word.size() - 5));
          found != objective_.tables().end())
        return static_cast<double>(found->second.second);
    throw NotUnderstood();
  }

  // A function of the individual: what chooses is in no value.
  void take_choice(bool has_index) {
    require(individual_);
    if (has_index) {
      require(",");
      value();
    }
    require(")");
  }

  double called(const std::string& function) {
    if (function == "gene" || function == "genes") {
      take_choice(function == "gene");
      return function == "gene" ? gene_ : count_;
    }
    if (const auto found = objective_.tables().find(function); found != objective_.tables().end()) {
      take_choice(true);
      const auto table = std::span(objective_.table_values()).subspan(found->second.first, found->second.second);
      double largest = 0;
      for (const double each : table) largest = std::max(largest, whole(each));
      return largest;
    }
    if (!is_one_of(same_of_one, function) && !is_one_of(one_of_several, function)) throw NotUnderstood();
    auto largest = value();
    while (take(",")) largest = std::max(largest, value());
    require(")");
    return largest;
  }

  const Objective& objective_;
  std::vector<Token> tokens_;
  double count_;
  double gene_ = 1;
  std::size_t at_ = 0;
  bool is_sum_ = false;
  bool is_bound_ = false;  // whether the end of a loop is read
  std::string individual_;
  std::string index_;  // of a term
  double times_ = 1;   // that loops around a statement do it
  double returned_ = 0;
  std::map<std::string, double, std::less<>> counters_;   // of the loops around it
  std::map<std::string, double, std::less<>> variables_;  // in this reading
  std::map<std::string, double, std::less<>> known_;      // in the one before
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
