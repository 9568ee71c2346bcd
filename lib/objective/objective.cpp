#include <clopt/detail/characters.hpp>
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/objective.hpp>
#include <device/kernels/kernel_list.hpp>
#include <support/numbers/checksum.hpp>
#include <support/threads/process_mutex.hpp>
#include "host_objective.hpp"
#include "restrictions.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

namespace clopt {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// A file of ours, as the library has it.
std::string_view builtin_text(const std::string& name) {
  const auto file = fmt::format("builtin_objectives/{}.cl", name);
  for (const auto& embedded : embedded_kernel_texts())
    if (embedded.file == file) return embedded.text;
  return {};
}

bool is_identifier(std::string_view name) {
  const auto word = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  return !name.empty() && !is_digit(name[0]) && std::all_of(name.begin(), name.end(), word);
}

}  // namespace

std::string_view name_of(GeneKind kind) {
  switch (kind) {
    case GeneKind::bits: return "bits";
    case GeneKind::reals: return "reals";
    case GeneKind::integers: return "integers";
    case GeneKind::permutation: break;
  }
  return "permutation";
}

std::string_view name_of(ObjectiveForm form) {
  switch (form) {
    case ObjectiveForm::general: return "general";
    case ObjectiveForm::term: return "term";
    case ObjectiveForm::count: return "count";
    case ObjectiveForm::word: return "word";
    case ObjectiveForm::residual: break;
  }
  return "residual";
}

std::string_view name_of(Direction direction) { return direction == Direction::minimise ? "minimise" : "maximise"; }

std::vector<std::string> Objective::names() {
  std::vector<std::string> names{
#define CLOPT_OBJECTIVE(name) #name,
#include <generated/objectives.inc>
#undef CLOPT_OBJECTIVE
  };
  // Objectives that read data are made where the data is.
  std::erase_if(names, [](const std::string& name) { return objective::mentions(builtin_text(name), "table_value"); });
  std::sort(names.begin(), names.end());
  return names;
}

Objective Objective::named(const std::string& name) {
  // A text is read once in a process: that takes as long as many a run.
  static auto* const mutex = new ProcessMutex(Holding::alone);
  static auto* const read = new std::map<std::string, Objective>;
  if (const auto text = builtin_text(name); !text.empty()) {
    const std::lock_guard lock(*mutex);
    if (const auto known = read->find(name); known != read->end()) return known->second;
    auto objective = from_text(std::string(text), name);
    objective.builtin_ = true;
    return read->emplace(name, std::move(objective)).first->second;
  }
  const auto all = names();
  const auto nearest = std::min_element(all.begin(), all.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  throw InvalidInput(fmt::format("there is no objective '{}'; the nearest is {}. There are {}, or a file FILE.cl", name,
                                 *nearest, fmt::join(all, ", ")));
}

bool Objective::reads_rows() const {
  return is_fit() || objective::mentions(text_, "row") || objective::mentions(text_, "columns");
}

bool Objective::mentions(std::string_view identifier) const { return objective::mentions(text_, identifier); }

std::string Objective::warning() const {
  if (function_ || builtin_) return {};
  std::set<std::string> own;
  for (const auto& [name, value] : constants_) own.insert(name);
  for (const auto& [name, place] : tables_) own.insert(name);
  return objective::warn_of_functions(text_, name_, own);
}

Objective Objective::from_text(std::string text, const std::string& name) {
  objective::refuse_foreign_parts(text, name);
  const auto definitions = objective::find_definitions(text, name);
  const auto header = objective::read_header(text, name);
  Objective result;
  result.name_ = name;
  result.form_ = definitions.form;
  result.has_finish_ = definitions.has_finish;
  result.has_violation_ = definitions.has_violation;
  const bool bits = definitions.form == ObjectiveForm::word || objective::mentions(text, "gene_word");
  result.kind_ = header.kind.value_or(bits ? GeneKind::bits : GeneKind::reals);
  result.says_kind_ = header.kind.has_value();
  if (bits && result.kind_ != GeneKind::bits)
    throw InvalidInput(fmt::format("{} is for {} and reads words of bits: take gene(x, i), or say bits in its comment",
                                   name, name_of(result.kind_)));
  if (result.is_fit()) objective::require_fit(header, definitions, name);
  result.direction_ = header.direction;
  if (header.lower) result.bounds_ = GeneBounds{*header.lower, *header.upper};
  result.optimum_ = header.optimum;
  result.text_ = std::move(text);
  return result;
}

Objective Objective::from_file(const std::filesystem::path& file) {
  auto text = TextReader(file).rest();
  if (text.find('\0') != text.npos)
    throw InvalidInput(fmt::format("{} is not a text: it should be an objective in OpenCL C", file.string()));
  return from_text(std::move(text), file.string());
}

Objective Objective::find(const std::string& name_or_file) {
  const bool is_file = name_or_file.ends_with(".cl") || name_or_file.find('/') != std::string::npos;
  return is_file ? from_file(name_or_file) : named(name_or_file);
}

Objective Objective::of_function(std::shared_ptr<const HostFunction> function, GeneKind kind, const std::string& name) {
  Objective result;
  result.name_ = name;
  result.function_ = std::move(function);
  result.kind_ = kind;
  return result;
}

Objective Objective::from_real_function(RealFunction function, const std::string& name) {
  return of_function(objective::host_objective(std::move(function), name), GeneKind::reals, name);
}
Objective Objective::from_real_function(std::function<double(std::span<const double>)> function,
                                        const std::string& name) {
  if (!function) throw InvalidInput(fmt::format("the objective '{}' is an empty function", name));
  return from_real_function([function = std::move(function)](std::span<const double> genes,
                                                             std::span<const double>) { return function(genes); },
                            name);
}
Objective Objective::from_residual_function(ResidualFunction function, const std::string& name) {
  auto result = of_function(objective::host_objective(std::move(function), name), GeneKind::reals, name);
  result.form_ = ObjectiveForm::residual;
  // What it reads lies in its rows.
  result.row_parts_ = {.abscissa = true, .sigma = true, .gaps = true, .weighted = true};
  return result;
}
Objective Objective::from_bit_function(BitFunction function, const std::string& name) {
  return of_function(objective::host_objective(std::move(function), name), GeneKind::bits, name);
}
Objective Objective::from_integer_function(IntegerFunction function, const std::string& name) {
  return of_function(objective::host_objective(std::move(function), name), GeneKind::integers, name);
}
Objective Objective::from_permutation_function(PermutationFunction function, const std::string& name) {
  return of_function(objective::host_objective(std::move(function), name), GeneKind::permutation, name);
}

Objective Objective::from_batch_function(BatchFunction function, GeneKind kind, const std::string& name,
                                         BatchLayout layout) {
  auto result = of_function(objective::host_objective(std::move(function), kind, name, layout), kind, name);
  result.batch_function_ = true;
  return result;
}

Objective& Objective::add_violation(std::shared_ptr<const HostFunction> violation, std::optional<GeneKind> kind,
                                    bool is_batch) {
  if (!function_)
    throw InvalidInput(
        fmt::format("{} is a text, and its violation would be a C++ function; define `real "
                    "violation(individual x)` in the text",
                    name_));
  if (has_violation_) throw InvalidInput(fmt::format("'{}' has a violation already", name_));
  if (is_batch != batch_function_ || (kind && *kind != kind_))
    throw InvalidInput(
        fmt::format("'{}' is a function of {}{}, and its violation is one of {}{}; give one that takes the "
                    "same",
                    name_, batch_function_ ? "a batch of " : "", clopt::name_of(kind_), is_batch ? "a batch of " : "",
                    clopt::name_of(kind.value_or(kind_))));
  violation_ = std::move(violation);
  has_violation_ = true;
  return *this;
}

Objective& Objective::set_violation(RealFunction violation) {
  return add_violation(objective::host_objective(std::move(violation), name_), GeneKind::reals, false);
}
Objective& Objective::set_violation(std::function<double(std::span<const double>)> violation) {
  if (!violation) throw InvalidInput(fmt::format("the violation of '{}' is an empty function", name_));
  return set_violation(
      RealFunction([violation = std::move(violation)](std::span<const double> genes, std::span<const double>) {
        return violation(genes);
      }));
}
Objective& Objective::set_violation(BitFunction violation) {
  return add_violation(objective::host_objective(std::move(violation), name_), GeneKind::bits, false);
}
Objective& Objective::set_violation(IntegerFunction violation) {
  return add_violation(objective::host_objective(std::move(violation), name_), GeneKind::integers, false);
}
Objective& Objective::set_violation(PermutationFunction violation) {
  return add_violation(objective::host_objective(std::move(violation), name_), GeneKind::permutation, false);
}
Objective& Objective::set_violation(BatchFunction violation, BatchLayout layout) {
  return add_violation(objective::host_objective(std::move(violation), kind_, name_, layout), std::nullopt, true);
}

void Objective::require_new_name(const std::string& name) const {
  if (function_) throw InvalidInput(fmt::format("'{}' is a C++ function, which keeps its own constants", name_));
  if (!is_identifier(name)) throw InvalidInput(fmt::format("'{}' cannot name a constant or a table", name));
  if (constants_.contains(name) || tables_.contains(name) ||
      (name.ends_with("_size") && tables_.contains(name.substr(0, name.size() - 5))))
    throw InvalidInput(fmt::format("{} has a constant or a table '{}' already", name_, name));
}

Objective& Objective::constant(const std::string& name, double value) {
  require_new_name(name);
  constants_.emplace(name, value);
  return *this;
}

Objective& Objective::table(const std::string& name, std::vector<double> values) {
  require_new_name(name);
  if (values.empty()) throw InvalidInput(fmt::format("the table '{}' of {} has no values", name, name_));
  if (values.size() > UINT32_MAX - table_values_.size())
    throw InvalidInput(fmt::format("the tables of {} have more than {} values", name_, UINT32_MAX));
  tables_.emplace(name, std::pair(table_values_.size(), values.size()));
  table_values_.insert(table_values_.end(), values.begin(), values.end());
  return *this;
}

Objective& Objective::set_table_values(std::vector<double> values) {
  table_values_ = std::move(values);
  return *this;
}
Objective& Objective::set_row_parts(const RowParts& parts) {
  row_parts_ = parts;
  return *this;
}
Objective& Objective::set_kind(GeneKind kind) {
  kind_ = kind;
  says_kind_ = true;
  return *this;
}
Objective& Objective::set_direction(Direction direction) {
  direction_ = direction;
  return *this;
}
Objective& Objective::set_usual_bounds(GeneBounds bounds) {
  if (!(bounds.lower < bounds.upper) || !std::isfinite(bounds.lower) || !std::isfinite(bounds.upper))
    throw InvalidInput(fmt::format("the bounds [{}, {}] of {} are invalid", bounds.lower, bounds.upper, name_));
  bounds_ = bounds;
  return *this;
}
Objective& Objective::set_optimum(double value) {
  optimum_ = value;
  return *this;
}

std::uint64_t Objective::fingerprint() const {
  Checksum checksum;
  const auto add_text = [&](const std::string& text) {
    checksum.add(std::uint64_t{text.size()});
    checksum.add(std::span<const char>(text));
  };
  add_text(function_ ? name_ : text_);
  checksum.add(std::uint64_t{constants_.size()});
  for (const auto& [name, value] : constants_) {
    add_text(name);
    checksum.add(value);
  }
  checksum.add(std::uint64_t{tables_.size()});
  for (const auto& [name, place] : tables_) {
    add_text(name);
    checksum.add(std::uint64_t{place.first});
    checksum.add(std::uint64_t{place.second});
  }
  checksum.add(std::uint64_t{table_values_.size()});
  checksum.add(std::span<const double>(table_values_));
  // Texts say these in a first comment, which callers may overrule.
  checksum.add(static_cast<std::uint32_t>(kind_));
  checksum.add(static_cast<std::uint32_t>(form_));
  checksum.add(std::uint32_t{has_finish_});
  checksum.add(direction_ ? 1 + static_cast<std::uint32_t>(*direction_) : 0U);
  checksum.add(std::uint32_t{bounds_.has_value()});
  if (bounds_) {
    checksum.add(bounds_->lower);
    checksum.add(bounds_->upper);
  }
  // A text's violation is part of the text.
  if (violation_) checksum.add(std::uint32_t{1});
  return checksum.value();
}

}  // namespace clopt
