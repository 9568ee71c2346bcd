/// \file
/// The module through which MPI is reached.
#pragma once

#include <clopt_cluster_module.h>

#include <filesystem>
#include <string>
#include <vector>

namespace clopt::cluster {

/// Loads the module that CLOPT_CLUSTER names, or else the first of some names that there is: libclopt-cluster-NAME.so
/// in the folders of CLOPT_BACKEND_PATH, then in that of the backends. It is never unloaded.
/// \throws InvalidInput with what was found where no module loads.
const clopt_cluster_module& load_module(const std::vector<std::string>& names);

/// The folder of the module's source, as it was installed; empty where there is none.
std::filesystem::path module_source();

}  // namespace clopt::cluster
