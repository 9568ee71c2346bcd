/// \file
/// Objectives: what a search minimises or maximises. Built in, a text in OpenCL C, or a C++ function.
#pragma once

#include <clopt/program.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// What an individual is made of.
enum class GeneKind {
  bits,        ///< zeros and ones, 32 in a word, the first in the lowest bit
  reals,       ///< floats or doubles, as the run's precision is
  integers,    ///< 32-bit signed integers
  permutation  ///< the numbers 0 to n-1, each once, as 32-bit unsigned integers
};
/// "bits", "reals", "integers" or "permutation".
std::string_view name_of(GeneKind kind);

/// How the value of an individual comes about, and so how work-items may share it out.
enum class ObjectiveForm {
  general,  ///< `real objective(individual x)`: by one work-item
  term,     ///< `real objective_term(individual x, uint i)`: a term a gene, summed in one order
  count,    ///< `int objective_count(individual x, uint i)`: a whole number a gene, summed
  word      ///< `int objective_word(individual x, uint w)`: a whole number for 32 bits, summed
};

/// Which values are better.
enum class Direction { minimise, maximise };

/// The same bounds for every gene.
struct GeneBounds {
  double lower;
  double upper;
};

/// An objective. Copies are cheap enough to pass around; nothing of it lives on a device.
///
/// A text is OpenCL C that defines one of the functions of ObjectiveForm, and optionally
/// `real objective_finish(individual x, real sum)`, applied to the sum. In it `real` is float or double, gene(x, i),
/// genes(x), gene_word(x, w), row(x, j) and columns(x) read the individual and its problem's data; docs/objectives.md
/// says all of it. A first comment may tell the usual setting:
/// `// clopt: reals, minimise, lower -5.12, upper 5.12, optimum 0`.
class Objective {
 public:
  /// One of names(). \throws InvalidInput for another name, with the nearest one.
  static Objective named(const std::string& name);
  /// The built-in objectives, sorted; without those that need data (see clopt/ecga_problems.hpp).
  static std::vector<std::string> names();
  /// \param text the objective in OpenCL C; \param name what messages call the text, such as its file.
  /// \throws InvalidInput where it defines none of the functions, or several.
  static Objective from_text(std::string text, const std::string& name = "objective");
  /// A text in a file. \throws InvalidInput where it cannot be read, and as from_text().
  static Objective from_file(const std::filesystem::path& file);
  /// A built-in objective's name, or a file: what ends in ".cl" or holds a '/' is a file.
  static Objective find(const std::string& name_or_file);

  /// A C++ function. It runs on devices in the host's own memory only (openmp), several threads call it at once, and a
  /// run has the same bits everywhere only if the function itself has. What it throws ends the run.
  /// For reals: genes, and the row of the individual's problem (empty where there is no data).
  using RealFunction = std::function<double(std::span<const double> genes, std::span<const double> row)>;
  static Objective from_real_function(RealFunction function, const std::string& name = "function");
  static Objective from_real_function(std::function<double(std::span<const double> genes)> function,
                                      const std::string& name = "function");
  /// For bits: words of 32 genes, the first gene in the lowest bit, zeros beyond the last; and how many genes there
  /// are.
  using BitFunction = std::function<double(std::span<const std::uint32_t> words, std::size_t genes)>;
  static Objective from_bit_function(BitFunction function, const std::string& name = "function");
  using IntegerFunction = std::function<double(std::span<const std::int32_t> genes)>;
  static Objective from_integer_function(IntegerFunction function, const std::string& name = "function");
  using PermutationFunction = std::function<double(std::span<const std::uint32_t> order)>;
  static Objective from_permutation_function(PermutationFunction function, const std::string& name = "function");

  /// Makes \p name a constant of the text. \throws InvalidInput for what is no identifier, or is taken.
  Objective& constant(const std::string& name, double value);
  /// Makes a table of the text: `NAME(x, i)` reads value i, `NAME_size` is how many there are. The values are reals of
  /// the run's precision: floats hold whole numbers up to 2^24. \throws InvalidInput as constant(), and for none at
  /// all.
  Objective& table(const std::string& name, std::vector<double> values);
  Objective& set_kind(GeneKind kind);
  Objective& set_direction(Direction direction);
  Objective& set_usual_bounds(GeneBounds bounds);
  Objective& set_optimum(double value);

  /// What messages and results call it: the built-in's name, the text's name.
  const std::string& name() const { return name_; }
  /// As its first comment says; else bits for a text with objective_word or gene_word, and reals for all others.
  GeneKind kind() const { return kind_; }
  ObjectiveForm form() const { return form_; }
  /// As its first comment says, if it does; solvers have their own default.
  std::optional<Direction> direction() const { return direction_; }
  std::optional<GeneBounds> usual_bounds() const { return bounds_; }
  /// The best value there is, where it is known.
  std::optional<double> optimum() const { return optimum_; }
  bool is_function() const { return function_ != nullptr; }
  /// Whether its text asks for the data of its problem, by row() or columns(), which not every problem has.
  bool reads_rows() const;
  bool is_builtin() const { return builtin_; }

  // What follows is for solvers.

  /// The text, empty for a function.
  const std::string& text() const { return text_; }
  bool has_finish() const { return has_finish_; }
  const std::map<std::string, double>& constants() const { return constants_; }
  /// The values of all tables, one behind the other. A built-in objective may read them by table_value(x, i).
  const std::vector<double>& table_values() const { return table_values_; }
  /// Where each table lies in table_values(): first value, number of values.
  const std::map<std::string, std::pair<std::size_t, std::size_t>>& tables() const { return tables_; }
  /// Gives a built-in objective its data.
  Objective& set_table_values(std::vector<double> values);
  const std::shared_ptr<const HostFunction>& function() const { return function_; }
  /// A number that differs, in all likelihood, where name, text, constants or tables differ: for checkpoints.
  std::uint64_t fingerprint() const;

 private:
  Objective() = default;
  static Objective of_function(std::shared_ptr<const HostFunction> function, GeneKind kind, const std::string& name);
  void require_new_name(const std::string& name) const;

  std::string name_;
  std::string text_;
  std::shared_ptr<const HostFunction> function_;
  GeneKind kind_ = GeneKind::reals;
  ObjectiveForm form_ = ObjectiveForm::general;
  bool has_finish_ = false;
  bool builtin_ = false;
  std::optional<Direction> direction_;
  std::optional<GeneBounds> bounds_;
  std::optional<double> optimum_;
  std::map<std::string, double> constants_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> tables_;
  std::vector<double> table_values_;
};

}  // namespace clopt
