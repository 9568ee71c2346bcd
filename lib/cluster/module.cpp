#include "module.hpp"

#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
#include <support/process/helper_program.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

namespace clopt::cluster {
namespace {

namespace fs = std::filesystem;

fs::path find_module(const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos) return fs::exists(name, error) ? fs::path(name) : fs::path{};
  auto folders = environment::backend_path();
  folders.push_back(folder_of_this_code() / modules_folder);
  for (const auto& folder : folders)
    if (auto file = folder / fmt::format("libclopt-cluster-{}.so", name); fs::exists(file, error)) return file;
  return {};
}

// MPI libraries load parts of their own, which need its symbols.
const clopt_cluster_module* open_module(const fs::path& file, std::string& reason) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!handle) {
    reason = loader_message();
    return nullptr;
  }
  const auto entry = reinterpret_cast<const clopt_cluster_module* (*)()>(dlsym(handle, "clopt_cluster_module_entry"));
  const auto* module = entry ? entry() : nullptr;
  if (!module)
    reason = fmt::format("{} is not a module of clopt for MPI", file.string());
  else if (module->interface_version != CLOPT_CLUSTER_INTERFACE)
    reason = fmt::format("{} has version {} of the interface, and this clopt has {}: build it by `clopt cluster build`",
                         file.string(), module->interface_version, CLOPT_CLUSTER_INTERFACE);
  return reason.empty() ? module : nullptr;
}

}  // namespace

const clopt_cluster_module& load_module(const std::vector<std::string>& names) {
  const auto given = environment::cluster();
  const auto wanted = given.empty() ? names : std::vector{given};
  for (const auto& name : wanted) {
    const auto file = find_module(name);
    if (file.empty()) continue;
    std::string reason;
    if (const auto* module = open_module(file, reason)) return *module;
    throw InvalidInput(fmt::format("the module for MPI does not load: {}", reason));
  }
  throw InvalidInput(given.empty()
                         ? fmt::format("there is no module for this MPI (libclopt-cluster-{}.so); `clopt cluster "
                                       "build --mpicc MPICC` makes one",
                                       fmt::join(wanted, ".so or -"))
                         : fmt::format("CLOPT_CLUSTER is '{}', and there is no such module for MPI", printable(given)));
}

fs::path module_source() {
  const auto folder = folder_of_this_code() / modules_folder / "cluster";
  std::error_code error;
  return fs::exists(folder / "module.c", error) ? folder : fs::path{};
}

}  // namespace clopt::cluster
