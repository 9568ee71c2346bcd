/// \file
/// The list of all tables of `clopt bench`, and how what they measured is shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver.hpp"

namespace clopt::apps::bench {

/// A table and the solver that has it.
struct ListedTable {
  std::string_view solver;
  BenchmarkTable table;
};

/// All tables of a solver, or of all solvers.
std::vector<ListedTable> all_tables(const std::optional<std::string>& solver);

/// Those of a list that a name means: "table-6.9", "table 6.9", an earlier name, or the number alone, which is a table
/// rather than a figure. \throws InvalidInput where there is none.
std::vector<ListedTable> tables_named(std::vector<ListedTable> tables, const std::string& name);

/// Objects with `solver`, `table`, `paper`, `caption` and `seconds`.
Json list_json(const std::vector<ListedTable>& tables);
/// The same as lines, for help and `--list`.
std::string list_text(const std::vector<ListedTable>& tables);

/// A row without numbers that are none, with `ended`: whether it has its figure.
BenchmarkRow checked_row(BenchmarkRow row);

/// A field as people read it.
std::string shown(const BenchmarkColumn& column, const Json& row);

/// How often a figure is measured, as a clause: "means of 10 runs, as in the paper".
std::string runs_text(const BenchmarkTable& table, const BenchmarkOptions& bench);

}  // namespace clopt::apps::bench
