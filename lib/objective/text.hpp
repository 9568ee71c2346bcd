/// \file
/// Reading the text of an objective, as far as the host must understand it.
#pragma once

#include <clopt/objective.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::objective {

/// What a text defines.
struct Definitions {
  ObjectiveForm form = ObjectiveForm::general;
  bool has_finish = false;
  bool has_violation = false;  ///< `real violation(individual x)`
};

/// \throws InvalidInput naming the text where it defines none of the functions of ObjectiveForm, or several. What is
/// called residual beside another one is not an objective.
Definitions find_definitions(std::string_view text, std::string_view name);

/// The settings of a text's first comment; those that it does not state are empty.
struct Header {
  std::optional<GeneKind> kind;
  std::optional<Direction> direction;
  std::optional<double> lower;
  std::optional<double> upper;
  std::optional<double> optimum;
};

/// Reads the line `// clopt: ...`, wherever it stands. \throws InvalidInput naming the text for a word it does not
/// know.
Header read_header(std::string_view text, std::string_view name);

/// What a text of residuals may be: a sum of squares, which is minimised, of reals. \throws InvalidInput naming the
/// text.
void require_fit(const Header& header, const Definitions& definitions, std::string_view name);

/// The text with every literal of a floating-point number in single precision: OpenCL C would take 0.1 for a double,
/// on devices that have doubles. Lines stay where they are.
std::string with_single_precision_literals(std::string_view text);

/// Whether a NaN that arises somewhere is sure to reach the result: the text has only what is known to hand it on, and
/// loops whose heads are of whole numbers. \param own constants and tables.
bool lets_nan_through(std::string_view text, const std::set<std::string>& own = {});

/// Whether a vector of individuals may go through the text for one: it has only what does the same for each of them,
/// and nothing that shows how a number lies in memory.
bool takes_vectors(std::string_view text, const std::set<std::string>& own = {});

/// How many genes there must be so that all which the text reads by a number, as gene(x, 2), are inside; 0 where it
/// reads none so.
std::uint32_t least_genes(std::string_view text);

/// Whether an identifier stands in the text outside comments and strings.
bool mentions(std::string_view text, std::string_view identifier);
/// Whether it does outside of the bodies of some functions.
bool mentions_outside(std::string_view text, std::string_view identifier,
                      std::initializer_list<std::string_view> functions);

/// The line, from 1, on which an identifier first stands outside comments and strings; 0 where it does not.
std::size_t line_of(std::string_view text, std::string_view identifier);

}  // namespace clopt::objective
