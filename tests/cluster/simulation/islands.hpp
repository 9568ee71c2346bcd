/// \file
/// Islands whose devices sleep for as long as their generations are said to take.
#pragma once

#include <cluster/session.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

struct Islands {
  std::uint64_t count = 0;
  double generation_seconds = 0;  ///< of one island, which a device evolves one after the other
  std::uint64_t migrate_every = 0;
  std::uint64_t bytes = 0;  ///< of the migrants from one island to the next
  std::uint64_t epochs = 0;
};

/// Words: COUNT GENERATION_SECONDS MIGRATE_EVERY BYTES EPOCHS. \returns none where they are others.
std::optional<Islands> islands_of(int count, char** words);

/// Has all ranks evolve them. \returns the report.
nlohmann::json evolve(clopt::cluster::Session& session, const Islands& islands);
