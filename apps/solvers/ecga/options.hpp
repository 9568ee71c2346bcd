/// \file
/// The options of `clopt ecga`.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/ecga_sizing.hpp>

#include <string>
#include <vector>

#include <frame/run/solver_run.hpp>

namespace clopt::apps::ecga {

/// How the population is chosen.
enum class Sizing { given, bisection, doubling };

/// What the options say of the search.
struct Search {
  std::string objective;  ///< as it was named
  clopt::ecga::Problem problem;
  clopt::ecga::Options options;
  Sizing sizing = Sizing::given;
  std::vector<std::string> models;  ///< files for all models
  Json parameters;                  ///< what a checkpoint keeps
  bool has_several_runs = false;    ///< of one population

  bool is_one_run() const { return sizing == Sizing::given && !has_several_runs; }
};

OptionParser make_parser();

/// Reads them. Nothing of the work is done, and no device opened. \throws InvalidInput.
Search read_search(const RunRequest& request);

}  // namespace clopt::apps::ecga
