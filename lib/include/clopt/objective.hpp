/// \file
/// Objectives: what a search minimises or maximises. An objective is built in, a text in OpenCL C, or a C++ function.
#pragma once

#include <clopt/export.hpp>

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
#include <string_view>
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
CLOPT_API std::string_view name_of(GeneKind kind);

/// Which function a text defines, and so how work-items may share the evaluation of an individual.
enum class ObjectiveForm {
  general,  ///< `real objective(individual x)`: the value, computed by one work-item
  term,     ///< `real objective_term(individual x, uint i)`: one term for each gene, summed in a fixed order
  count,    ///< `int objective_count(individual x, uint i)`: one whole number for each gene, summed
  word,     ///< `int objective_word(individual x, uint w)`: one whole number for each 32 bits, summed
  residual  ///< `real residual(individual x, uint j)`: a residual for each datum of the problem's row, summed in
            ///< squares
};
/// "general", "term", "count", "word" or "residual".
CLOPT_API std::string_view name_of(ObjectiveForm form);

/// Which values are better: the smaller or the greater ones.
enum class Direction { minimise, maximise };
/// "minimise" or "maximise".
CLOPT_API std::string_view name_of(Direction direction);

/// The same bounds for every gene.
struct GeneBounds {
  double lower;
  double upper;
};

/// An objective. Copies are cheap enough to pass around; nothing of it lives on a device.
///
/// A text is OpenCL C that defines one of the functions of ObjectiveForm, and optionally
/// `real objective_finish(individual x, real sum)`, applied to the sum. In it `real` is float or double, gene(x, i),
/// genes(x), gene_word(x, w), row(x, j) and columns(x) read the individual and its problem's data, in a residual
/// abscissa(x, j) and sigma(x, j) too; docs/objectives.md documents the language. A first comment may give the kind of
/// genes, the direction, bounds and the best value:
/// `// clopt: reals, minimise, lower -5.12, upper 5.12, optimum 0`.
///
/// A text may also define `real violation(individual x)`: by how much an individual breaks constraints, 0 (or less)
/// where it keeps all. A feasible individual is better than an infeasible one, then the lesser violation counts, then
/// the value (Deb 2000). A violation below the least normal number of the precision counts as 0, and one that is NaN as
/// a value that is NaN. Values are cut off at 2^120 of a float and 2^1016 of a double, above which violations are
/// compared, to 18 and 44 bits. The genetic algorithm and differential evolution take such objectives.
///
/// A C++ function runs on devices in the host's own memory only (openmp); other devices refuse it. A run with a
/// function gives the same bits everywhere only if the function does. What a function throws ends the run and reaches
/// the caller of solve(). A value that is not a number (NaN), and the worse infinity, count as the worst, the
/// better infinity as the best. Values are doubles; a run in single precision rounds them to floats.
class CLOPT_API Objective {
 public:
  /// One of names(). \throws InvalidInput for another name, with the nearest one.
  static Objective named(const std::string& name);
  /// The built-in objectives, sorted; without those that need data (see clopt/ecga_problems.hpp).
  static std::vector<std::string> names();
  /// \param text the objective in OpenCL C; \param name what messages call the text, such as its file.
  /// A text is compiled and run as code, with all that the process may do: take only texts that you trust.
  /// \throws InvalidInput where it defines none of the functions, or several, and where it has what docs/objectives.md
  /// rules out, such as #include.
  static Objective from_text(std::string text, const std::string& name = "objective");
  /// A text in a file. \throws InvalidInput where it cannot be read, and as from_text().
  static Objective from_file(const std::filesystem::path& file);
  /// A built-in objective's name, or a file: what ends in ".cl" or holds a '/' is a file.
  static Objective find(const std::string& name_or_file);

  /// A C++ function that returns the value of one individual. The threads of the device call it at the same time, in no
  /// particular order, so it must not write to what they share. Spans are valid during the call.
  /// For reals: all genes of the individual, and its problem's row of data (empty without data).
  using RealFunction = std::function<double(std::span<const double> genes, std::span<const double> row)>;
  static Objective from_real_function(RealFunction function, const std::string& name = "function");
  static Objective from_real_function(std::function<double(std::span<const double> genes)> function,
                                      const std::string& name = "function");
  /// For fits: sets the residual of each datum, in units of its standard deviation; the value is the sum of their
  /// squares. All spans have an element for each datum, but \p genes, which has all genes of the individual. A datum
  /// that is absent is NaN in \p row, and its residual is not used.
  using ResidualFunction =
      std::function<void(std::span<const double> genes, std::span<const double> row, std::span<const double> abscissa,
                         std::span<const double> sigma, std::span<double> residuals)>;
  static Objective from_residual_function(ResidualFunction function, const std::string& name = "function");
  /// For bits: words of 32 genes, the first gene in the lowest bit, zeros beyond the last; and the number of genes.
  using BitFunction = std::function<double(std::span<const std::uint32_t> words, std::size_t genes)>;
  static Objective from_bit_function(BitFunction function, const std::string& name = "function");
  /// For integers: all genes of the individual.
  using IntegerFunction = std::function<double(std::span<const std::int32_t> genes)>;
  static Objective from_integer_function(IntegerFunction function, const std::string& name = "function");
  /// For permutations: the numbers 0 to n-1 in the individual's order.
  using PermutationFunction = std::function<double(std::span<const std::uint32_t> order)>;
  static Objective from_permutation_function(PermutationFunction function, const std::string& name = "function");

  /// A C++ function that evaluates a whole generation in one call: the start population, and then, once for each
  /// generation, all individuals that are new in it, of all islands and all problems that still run. A generation in
  /// which only some problems of differential evolution restart is two calls. It is called on the thread that called
  /// solve(), never by two threads at a time, and need not be thread-safe. A run is ended by its stop token within one
  /// call, and by a call that throws Cancelled, whose generation is dropped. Spans are valid during the call.
  /// \param genes of all individuals, in the layout that the function was given with. All kinds come as doubles: a bit
  /// is
  ///        0 or 1, an integer or a permutation's number is exact.
  /// \param rows the row of data of each individual's problem, in the same layout; empty without data.
  /// \param values one for each individual, to be filled; what is left out counts as NaN. There is at least one.
  using BatchFunction =
      std::function<void(std::span<const double> genes, std::span<const double> rows, std::span<double> values)>;
  /// How a batch lies, where S is the number of individuals and n that of genes or columns.
  enum class BatchLayout : std::uint8_t {
    individuals,  ///< one individual behind the other: gene j of individual i is genes[i * n + j]
    genes         ///< one gene behind the other: gene j of individual i is genes[j * S + i], for loops over individuals
  };
  /// \param kind the kind of genes, which a batch function's type does not show.
  /// \throws InvalidInput for an empty function, as the other functions' factories do.
  static Objective from_batch_function(BatchFunction function, GeneKind kind, const std::string& name = "function",
                                       BatchLayout layout = BatchLayout::individuals);

  /// Gives a C++ function the one of its violation, see above: called for the same individuals, as that is.
  /// \throws InvalidInput for a text, for a function of other genes or of the other form, an empty one, or a second
  /// one.
  Objective& set_violation(RealFunction violation);
  Objective& set_violation(std::function<double(std::span<const double> genes)> violation);
  Objective& set_violation(BitFunction violation);
  Objective& set_violation(IntegerFunction violation);
  Objective& set_violation(PermutationFunction violation);
  Objective& set_violation(BatchFunction violation, BatchLayout layout = BatchLayout::individuals);

  /// Makes \p name a constant of the text. \throws InvalidInput for what is not an identifier, or is taken, and for a
  /// function.
  Objective& constant(const std::string& name, double value);
  /// Makes a table of the text: `NAME(x, i)` reads value i, `NAME_size` is how many there are. The values are reals of
  /// the run's precision: floats hold whole numbers up to 2^24. \throws InvalidInput as constant(), and for none at
  /// all.
  Objective& table(const std::string& name, std::vector<double> values);
  Objective& set_kind(GeneKind kind);
  Objective& set_direction(Direction direction);
  Objective& set_usual_bounds(GeneBounds bounds);
  Objective& set_optimum(double value);

  /// The name in messages and results: the built-in objective's, or the one given for the text or function.
  const std::string& name() const { return name_; }
  /// What the first comment says; else bits for a text with objective_word or gene_word, and reals for other texts.
  GeneKind kind() const { return kind_; }
  /// Whether the first comment says it, or set_kind() has; else kind() is a guess, which a solver of one kind need not
  /// follow.
  bool says_kind() const { return says_kind_; }
  /// Of a function residual where it gives residuals, else general.
  ObjectiveForm form() const { return form_; }
  /// What the first comment says; empty: the solver's default.
  std::optional<Direction> direction() const { return direction_; }
  std::optional<GeneBounds> usual_bounds() const { return bounds_; }
  /// The best value of all individuals, where it is known.
  std::optional<double> optimum() const { return optimum_; }
  /// Whether it is a C++ function, of one individual or of a batch.
  bool is_function() const { return function_ != nullptr; }
  /// Whether it is a C++ function of a batch.
  bool is_batch_function() const { return batch_function_; }
  /// Whether it has constraints: a text that defines violation(), or a function that was given one.
  bool has_violation() const { return has_violation_; }
  /// Whether it gives residuals, whose squares are summed: a fit.
  bool is_fit() const { return form_ == ObjectiveForm::residual; }
  /// Whether its text asks for the data of its problem, by row() or columns(), which not every problem has; residuals
  /// always do.
  bool reads_rows() const;
  /// Whether an identifier stands in its text, outside comments.
  bool mentions(std::string_view identifier) const;
  bool is_builtin() const { return builtin_; }
  /// A warning about a text: a sentence that names the functions it calls which every device computes in
  /// its own way (`erf`, `native_exp`), so that the run differs from device to device, and what to take instead. Empty
  /// where there are none, and for a C++ function.
  std::string warning() const;
  /// A warning about the first table of a text that does not fit a number of genes: it is read by the index of a gene
  /// and has another number of values, or in rows of genes and has no whole rows. What is read beyond its end is 0.
  /// Empty where all fit, and where the text does not show how a table is read. O(length of the text).
  std::string warning_of_tables(std::uint64_t genes) const;

  // What follows is for solvers.

  /// The text, empty for a function.
  const std::string& text() const { return text_; }
  bool has_finish() const { return has_finish_; }
  const std::map<std::string, double>& constants() const { return constants_; }
  /// The values of all tables, one behind the other. A built-in objective may read them by table_value(x, i).
  const std::vector<double>& table_values() const { return table_values_; }
  /// Where each table lies in table_values(): first value, number of values.
  const std::map<std::string, std::pair<std::size_t, std::size_t>>& tables() const { return tables_; }
  /// What the rows of a fit's problems have on a device, one part behind the other, each as long as the data.
  struct RowParts {
    bool abscissa = false;  ///< behind the data
    bool sigma = false;     ///< behind those
    bool gaps = false;      ///< whether data may be absent, which are NaN
    bool weighted = false;  ///< whether there are standard deviations at all, in rows or as a table
    std::uint32_t count() const { return 1U + (abscissa ? 1U : 0U) + (sigma ? 1U : 0U); }
  };
  /// Abscissas and standard deviations that all rows share are tables of these names.
  Objective& set_row_parts(const RowParts& parts);
  const RowParts& row_parts() const { return row_parts_; }
  /// Gives a built-in objective its data.
  Objective& set_table_values(std::vector<double> values);
  const std::shared_ptr<const HostFunction>& function() const { return function_; }
  const std::shared_ptr<const HostFunction>& violation_function() const { return violation_; }
  /// A number that differs, in all likelihood, between objectives that give other results: it covers the text (of a
  /// function the name), constants, tables, kind, form, finish, direction and usual bounds. The code of a function is
  /// not known; a caller who changes it should change its name. For checkpoints.
  std::uint64_t fingerprint() const;

 private:
  Objective() = default;
  template <class Archive>
  friend void fields(Archive& archive, Objective& objective);
  static Objective of_function(std::shared_ptr<const HostFunction> function, GeneKind kind, const std::string& name);
  void require_new_name(const std::string& name) const;
  Objective& add_violation(std::shared_ptr<const HostFunction> violation, std::optional<GeneKind> kind, bool is_batch);

  std::string name_;
  std::string text_;
  std::shared_ptr<const HostFunction> function_;
  std::shared_ptr<const HostFunction> violation_;
  GeneKind kind_ = GeneKind::reals;
  bool says_kind_ = false;
  ObjectiveForm form_ = ObjectiveForm::general;
  bool has_finish_ = false;
  bool has_violation_ = false;
  bool builtin_ = false;
  bool batch_function_ = false;
  std::optional<Direction> direction_;
  std::optional<GeneBounds> bounds_;
  std::optional<double> optimum_;
  std::map<std::string, double> constants_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> tables_;
  std::vector<double> table_values_;
  RowParts row_parts_;
};

}  // namespace clopt
