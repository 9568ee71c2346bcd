/// \file
/// The table of --output.
#pragma once

#include <clopt/detail/csv.hpp>
#include <clopt/differential_evolution.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace clopt::apps::differential_evolution {

/// The parameters of a problem.
std::vector<double> vector_of(const clopt::differential_evolution::Result& result, std::size_t problem,
                              std::size_t dimensions);

/// A row a problem.
class OutputTable {
 public:
  /// \throws InvalidInput where the file cannot be written.
  OutputTable(const std::string& file, std::size_t dimensions, bool is_fit, bool is_constrained);
  void write(const clopt::differential_evolution::Result& result);
  /// What went wrong; empty: nothing.
  const std::string& failure() const { return writer_->failure(); }

 private:
  void add_fit(const clopt::differential_evolution::Result& result, std::size_t k,
               std::vector<CsvWriter::Field>& row) const;

  std::size_t dimensions_;
  std::optional<CsvWriter> writer_;
};

}  // namespace clopt::apps::differential_evolution
