/// \file
/// The environment variables that the library reads: all of them, and nowhere else. The program reads those of
/// terminals too (frame/output/terminal.cpp). docs/environment.md describes all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clopt::environment {

/// CLOPT_BACKEND_PATH: folders with backends, separated by colons.
std::vector<std::filesystem::path> backend_path();
/// CLOPT_KERNEL_PATH: a folder whose files replace the embedded kernels.
std::optional<std::filesystem::path> kernel_path();
/// CLOPT_CACHE_DIR, XDG_CACHE_HOME, HOME: the cache's folder; none where it is switched off or cannot be named.
std::optional<std::filesystem::path> cache_folder();
/// CLOPT_CACHE_STRICT: whether a record that cannot be kept is an error.
bool cache_strict();
/// CLOPT_DEVICE: the default device; empty where unset.
std::string device();
/// CLOPT_ACCELERATOR: the device that a run may move to by default; empty where unset.
std::string accelerator();
/// CXX: the C++ compiler for objectives of users, with a wrapper or options; empty where unset.
std::string compiler();
/// CLOPT_BUILD: `quick` or `full`, how models of fits are compiled for the host; empty where unset.
std::string build();
/// CLOPT_SUBGROUPS: the only sub-group provider to use; empty where unset.
std::string subgroups();
/// CLOPT_ISOLATION: whether drivers are looked at in processes of their own; not where it is `off`.
bool isolates();
/// CLOPT_INSTRUCTION_SET: the best set of instructions that the processor may use; empty where unset.
std::string instruction_set();
/// CLOPT_SUB_DEVICES: in how many parts OpenCL devices are divided; 1 where unset. \throws InvalidInput for no number
/// from 1.
unsigned sub_devices();
/// CLOPT_PROFILE: whether the times of OpenCL devices' commands are wanted.
bool profile();
/// OCL_ICD_VENDORS: where the OpenCL loader looks for platforms; empty where unset.
std::string opencl_vendors();
/// OCL_ICD_FILENAMES: drivers that Khronos's loader takes beside those, separated by colons; empty where unset.
std::string opencl_filenames();
/// CLOPT_LEFT_OUT: OpenCL drivers that a process that answers questions must not load; clopt sets it.
std::vector<std::string> drivers_left_out();

/// CLOPT_OFFERS: under which name a process that tests a device offers programs to others; clopt sets it.
std::string offers();
/// CLOPT_BUILDERS: processes that build a GPU's programs beside a run; none where unset. \throws InvalidInput for no
/// number.
std::optional<unsigned> builders();
/// LD_LIBRARY_PATH: folders in which the dynamic linker looks first.
std::vector<std::filesystem::path> linker_path();
/// POCL_KERNEL_CACHE: whether PoCL keeps the kernels that it builds; unlike elsewhere, empty is no.
bool pocl_keeps_kernels();
/// PATH: the folders of commands.
std::vector<std::filesystem::path> command_path();
/// CLOPT_CLUSTER: the module that reaches MPI, a name or a file; `off`: launchers of jobs mean nothing; empty where
/// unset.
std::string cluster();
/// A number that a launcher of jobs has set: OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_RANK, PMI_SIZE, PMI_RANK,
/// SLURM_STEP_NUM_TASKS or SLURM_PROCID; none where it is unset, or no number.
std::optional<unsigned> launchers_number(const char* name);
/// Sets HWLOC_COMPONENTS, unless it is set: Open MPI's start would load OpenCL's platforms through hwloc.
void keep_hwloc_from_opencl();
/// CLOPT_LOG: whether a topic (`build`, `cache`, `device`, `probe`) is logged on standard error.
bool logs(const std::string& topic);

}  // namespace clopt::environment
