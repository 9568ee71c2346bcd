/// \file
/// The options by which a solver is given its objective.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/objective.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common_options.hpp"

namespace clopt::apps {

/// What the help says of texts.
inline constexpr const char* trust_in_texts =
    "a text FILE.cl is compiled and run as code, with your rights: take only texts that you trust";

/// Adds --objective, --constant and --table.
/// \param usual the objective of a run that names none. \param more names that this solver takes besides. \param kind
/// of genes that the solver takes: help lists the built-in objectives of that kind only; none: all.
void add_objective_options(OptionParser& parser, const std::string& usual, const std::string& more = {},
                           std::optional<GeneKind> kind = {});

/// Refuses --constant and --table, which belong to a text, for an objective that has a name. \throws InvalidInput.
void refuse_text_options(const Options& options, const std::string& name);

/// Reads --goal, a target in terms of the objective's optimum. \param given the options without those of a checkpoint,
/// whose target is its own. \param name of the objective, as given. \throws InvalidInput where there is a target, or no
/// known optimum.
std::optional<std::string> read_goal(const Options& given, const std::vector<std::string>& goals,
                                     std::optional<double> optimum, const std::string& name);

/// An objective, and the fields that a checkpoint keeps of it.
struct ChosenObjective {
  Objective objective;
  Json parameters;  ///< its name; or its text, constants and tables, so that a run is resumed without the files
};

/// Prints a warning where a table of a text does not fit a number of genes.
void warn_of_tables(const Objective& objective, std::uint64_t genes);

/// Reads them. Where a run is resumed, a text of the user's is taken from the checkpoint; one that is given again must
/// be the same. \param more and \param kind as for add_objective_options(): a message lists these names.
/// \throws InvalidInput.
ChosenObjective read_objective(const Options& options, const std::shared_ptr<const Checkpoint>& resumed,
                               const std::string& usual, const std::string& more = {},
                               std::optional<GeneKind> kind = {});

}  // namespace clopt::apps
