/// \file
/// The models of a run, a model a generation, and how they are shown.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/ecga.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <frame/output/output.hpp>
#include <pictures/svg.hpp>

namespace clopt::apps::ecga {

/// "0 1 2 3 4 | 5 7 | 6": groups with bars between them.
std::string model_text(const clopt::ecga::Model& model);

/// Collects models and writes them to files.
class Models {
 public:
  Models(std::vector<std::string> files, std::uint32_t length) : files_(std::move(files)), length_(length) {}

  void add(const clopt::ecga::Statistics& statistics);
  /// Puts all into a checkpoint, whose arrays stay here.
  void save(Record& state);
  /// Continues from a checkpoint that has models up to a generation; one without is a run that did not collect them.
  void restore(const Checkpoint& checkpoint);
  /// Writes all files. \returns for each an empty text, or why it could not be written.
  std::vector<std::string> write() const;

 private:
  struct Entry {
    std::uint64_t generation;
    double best;
    clopt::ecga::Model model;
  };
  std::string json() const;
  std::string text() const;
  std::string picture() const;
  void draw_row(Svg& svg, const Entry& entry, double x, double y, double cell, double height) const;

  std::vector<std::string> files_;
  std::uint32_t length_;
  std::vector<Entry> entries_;
};

}  // namespace clopt::apps::ecga
