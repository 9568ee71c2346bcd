/// \file
/// `clopt bench --report`: what was measured as one page, beside the papers' figures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench_tables.hpp"

namespace clopt::apps::bench {

/// A table as it was measured on a device.
struct MeasuredTable {
  ListedTable listed;
  std::string device;  ///< its id
  std::string runs;    ///< runs_text()
  std::vector<BenchmarkRow> rows;
};

/// \throws InvalidInput where a file is no page's: FILE.html or FILE.md.
void check_report(const std::string& file);

/// Writes the page that the file's name says. \returns an empty text, or why it could not be written.
std::string write_report(const std::string& file, const std::vector<MeasuredTable>& tables,
                         const std::vector<std::shared_ptr<Device>>& devices);

}  // namespace clopt::apps::bench
