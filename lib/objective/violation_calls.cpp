#include "violation_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tokens.hpp"

namespace clopt::objective {
namespace {

// Tokens from first to last, without it.
struct Part {
  std::size_t first;
  std::size_t last;
};

class ViolationCalls {
 public:
  ViolationCalls(std::string_view text, const std::set<std::string>& own)
      : text_(text), own_(own), tokens_(tokens_of(text)) {
    is_handed_.resize(tokens_.size());
    for (const auto& macro : macros_of(tokens_)) {
      macros_.insert(macro.name);
      parameters_.insert(macro.parameters.begin(), macro.parameters.end());
      parts_[macro.name].push_back({macro.first, macro.last});
    }
    find_handed();
    find_functions();
    if (!violation_.empty()) change();
  }

  std::string result() && {
    std::vector<Change> changes;
    for (auto& [place, change] : changes_) changes.push_back({place, change.length, std::move(change.with)});
    auto changed = with_changes(text_, changes);
    // What clopt calls has no argument more.
    for (const auto& called : called_functions)
      if (with_argument_.contains(called.name))
        changed += fmt::format("\n{} {}({}) {{ return objective_of_text_{}(objective_for_violation, {}); }}",
                               called.type, called.name, called.parameters, called.name, called.arguments);
    return changed;
  }

 private:
  std::string_view text_of(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view{}; }
  bool is_identifier(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == Token::Kind::identifier; }
  bool is_member(std::size_t i) const {
    return i > 0 && (text_of(i - 1) == "." || (text_of(i - 1) == ">" && i > 1 && text_of(i - 2) == "-"));
  }
  bool is_own(std::string_view word) const { return own_.contains(std::string(word)); }

  // What stands in a macro, or in what one is given: a name there may be that of a function.
  void find_handed() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].in_directive) is_handed_[i] = true;
      if (!macros_.contains(text_of(i)) || text_of(i + 1) != "(") continue;
      const auto behind = behind_group(tokens_, i + 1);
      for (auto at = i + 1; at < behind; ++at) is_handed_[at] = true;
    }
  }

  // Another name of that kind is a variable's or a member's.
  bool is_function(std::size_t i) const { return !is_member(i) && (text_of(i + 1) == "(" || is_handed_[i]); }
  bool is_choice(std::size_t i) const { return (text_of(i) == "fmin" || text_of(i) == "fmax") && is_function(i); }

  // Of what is declared; a macro may be one.
  bool is_type(std::size_t i) const {
    if (!is_identifier(i) || is_one_of(before_a_value, text_of(i))) return false;
    if (i > 0 && text_of(i - 1) == "define") return false;
    if (!macros_.contains(text_of(i))) return true;
    const auto& parts = parts_.at(text_of(i));
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      return part.first < part.last && is_identifier(part.last - 1) &&
             !is_one_of(before_a_value, text_of(part.last - 1));
    });
  }

  // Bodies of functions. That of a violation is one of an individual alone, as find_definitions() has it.
  void find_functions() {
    int braces = 0;
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].in_directive) continue;
      if (text_of(i) == "{") ++braces;
      if (text_of(i) == "}") --braces;
      if (braces != 0 || !is_identifier(i)) continue;
      if (macros_.contains(text_of(i))) find_made(i);
      if (text_of(i + 1) != "(") continue;
      const auto open = behind_group(tokens_, i + 1);
      if (text_of(open) != "{") continue;
      const Part body{open, behind_group(tokens_, open)};
      const auto has = [&](std::string_view word) {
        return std::any_of(&tokens_[i + 1], &tokens_[open], [&](const Token& token) { return token.text == word; });
      };
      if (text_of(i) == "violation" && has("individual") && !has(",")) {
        violation_.push_back(body);
      } else {
        functions_.insert(text_of(i));
        parts_[text_of(i)].push_back(body);
      }
    }
  }

  // Functions that a macro makes: their names are in its body, or given to it.
  void find_made(std::size_t use) {
    const Part whole{use, text_of(use + 1) == "(" ? behind_group(tokens_, use + 1) : use + 1};
    const auto bodies = parts_.at(text_of(use));
    for (const auto& body : bodies) {
      auto brace = body.first;
      while (brace < body.last && text_of(brace) != "{") ++brace;
      if (brace == body.last) continue;
      const auto note = [&](std::size_t i) {
        if (!is_identifier(i) || is_choice(i) || macros_.contains(text_of(i))) return;
        parts_[text_of(i)].insert(parts_[text_of(i)].end(), {body, whole});
        made_[text_of(i)].push_back({brace, body.last});
      };
      for (auto i = body.first; i < brace; ++i)
        if (text_of(i + 1) == "(") note(i);
      for (auto i = whole.first + 1; i < whole.last; ++i)
        if (text_of(i + 1) == "," || text_of(i + 1) == ")") note(i);
    }
  }

  // The functions and macros that parts name, and those that these name.
  std::set<std::string_view> named_from(const std::vector<Part>& begin) const {
    std::set<std::string_view> named;
    auto open = begin;
    while (!open.empty()) {
      const auto part = open.back();
      open.pop_back();
      for (auto i = part.first; i < part.last; ++i) {
        const auto found = parts_.find(text_of(i));
        if (!is_function(i) && !macros_.contains(text_of(i))) continue;
        if (is_member(i) || found == parts_.end() || !named.insert(found->first).second) continue;
        open.insert(open.end(), found->second.begin(), found->second.end());
      }
    }
    return named;
  }

  bool chooses(const std::vector<Part>& parts) const {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      for (auto i = part.first; i < part.last; ++i)
        if (is_choice(i)) return true;
      return false;
    });
  }

  // Whether each place where the function's name stands is a declaration or a call that can have an argument more.
  bool can_have_argument(std::string_view name) const {
    if (macros_.contains(name) || parameters_.contains(name)) return false;
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (text_of(i) == name && is_function(i) && text_of(i + 1) != "(") return false;
    return true;
  }

  void change() {
    const auto named = named_from(violation_);
    auto changed = violation_;
    auto for_violations = violation_;
    for (const auto name : named) {
      const auto& parts = parts_.at(name);
      auto reached = parts;
      for (const auto further : named_from(parts))
        reached.insert(reached.end(), parts_.at(further).begin(), parts_.at(further).end());
      if (!chooses(reached)) continue;
      changed.insert(changed.end(), parts.begin(), parts.end());
      if (const auto made = made_.find(name); made != made_.end())
        for_violations.insert(for_violations.end(), made->second.begin(), made->second.end());
      if (!functions_.contains(name)) continue;
      if (can_have_argument(name))
        with_argument_.insert(name);
      else
        for (const auto& part : parts)
          if (text_of(part.first) == "{") for_violations.push_back(part);
    }
    for (const auto& part : for_violations)
      changes_[tokens_[part.first].end()].with = " enum { objective_for_violation = 1 };";
    for (const auto& part : changed)
      for (auto i = part.first; i < part.last; ++i)
        if (is_choice(i) && !parts_.contains(text_of(i)) && !is_own(text_of(i))) {
          // Behind a brace there may be a change already; what macros and functions both have is read twice.
          auto& change = changes_[tokens_[i].begin];
          if (change.length != 0) continue;
          change.length = tokens_[i].text.size();
          change.with += "objective_" + std::string(text_of(i)) + "_of_violation";
        }
    give_argument();
  }

  void give_argument() {
    int braces = 0;
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      if (!tokens_[i].in_directive && text_of(i) == "{") ++braces;
      if (!tokens_[i].in_directive && text_of(i) == "}") --braces;
      if (!with_argument_.contains(text_of(i)) || is_member(i) || text_of(i + 1) != "(") continue;
      const bool declares = (!tokens_[i].in_directive && braces == 0) || (i > 0 && is_type(i - 1));
      std::string argument = declares ? "int objective_for_violation" : "objective_for_violation";
      const bool is_void = text_of(i + 2) == "void" && text_of(i + 3) == ")";
      if (text_of(i + 2) != ")" && !is_void) argument += ", ";
      // What is changed behind the bracket may begin at the same place.
      auto& change = changes_[tokens_[i + 1].end()];
      change.with.insert(0, argument);
      if (is_void) change.length = tokens_[i + 2].end() - tokens_[i + 1].end();
      if (!is_called_by_clopt(text_of(i))) continue;
      auto& name = changes_[tokens_[i].begin];
      name.length = tokens_[i].text.size();
      name.with += "objective_of_text_" + std::string(text_of(i));
    }
  }

  std::string_view text_;
  const std::set<std::string>& own_;
  std::vector<Token> tokens_;
  std::vector<bool> is_handed_;
  std::set<std::string_view> macros_;
  std::set<std::string_view> parameters_;  // of macros
  std::set<std::string_view> functions_;
  std::set<std::string_view> with_argument_;             // functions that are given one
  std::map<std::string_view, std::vector<Part>> parts_;  // of functions and macros; one may be defined several times
  std::map<std::string_view, std::vector<Part>> made_;   // of functions that macros make
  std::vector<Part> violation_;
  std::map<std::size_t, Change> changes_;  // by their place in the text
};

}  // namespace

std::string with_nan_through_violation(std::string_view text, const std::set<std::string>& own) {
  return ViolationCalls(text, own).result();
}

}  // namespace clopt::objective
