/// \file
/// Solvers whose work ranks share.
#pragma once

#include <clopt/device.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "mailbox.hpp"

namespace clopt::cluster {

/// Works at a job on another rank than the first, until it has ended.
/// \param job what the first rank has sent of it. \param seconds left of the run's limit of time.
using Servant = void (*)(ByteReader job, std::optional<double> seconds,
                         std::span<const std::shared_ptr<Device>> devices, Mailbox& mailbox);

/// Makes a solver known to this rank; where its code is in the program, so is the object that does so.
class ServantEntry {
 public:
  ServantEntry(std::string_view solver, Servant servant);
};

/// \throws InternalError for a solver that has none.
Servant servant_of(std::string_view solver);

}  // namespace clopt::cluster
