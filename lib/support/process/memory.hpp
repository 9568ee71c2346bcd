/// \file
/// How much of the host's memory there is, and how much is left to take.
#pragma once

#include <cstdint>
#include <filesystem>

namespace clopt {

/// Bytes that this process may still take without swapping or being killed: what the system says is available, and what
/// the control groups that it is in leave (version 1 and 2). A large number where nothing is known.
/// \param root the file system's root; another one is for tests.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

/// Bytes that this process may have in all: the machine's memory, or what a container's control groups limit it to.
std::uint64_t total_memory(const std::filesystem::path& root = "/");

}  // namespace clopt
