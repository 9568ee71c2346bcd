/// \file
/// The options of `clopt genetic`.
#pragma once

#include <clopt/genetic.hpp>
#include <clopt/genetic_tours.hpp>

#include <frame/run/solver_run.hpp>
#include <memory>

namespace clopt::apps::genetic {

/// What the options say of the search.
struct Search {
  clopt::genetic::Problem problem;
  clopt::genetic::Options options;
  Json parameters;  ///< what a checkpoint keeps
  clopt::genetic::TourOptions trip{};
  std::shared_ptr<const clopt::genetic::Tour> tour{};  ///< null: the problem is none

  /// The units of the objective's values in 1 of the result.
  double units() const;
};

OptionParser make_parser();

/// Reads them. Nothing of the work is done, and no device opened. \throws InvalidInput.
Search read_search(const RunRequest& request);

}  // namespace clopt::apps::genetic
