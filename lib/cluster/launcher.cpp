#include "launcher.hpp"

#include <support/process/environment.hpp>

namespace clopt::cluster {
namespace {

struct Variables {
  const char* name;
  const char* ranks;
  const char* rank;
  std::vector<std::string> modules;
};

// The more special ones first: Slurm's variables are there within Open MPI's own launcher, too. Those of a step show
// that srun has started this process; the script of a job has the others.
const std::vector<Variables>& known_launchers() {
  static const std::vector<Variables> known{
      {"mpirun of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", {"openmpi"}},
      {"mpiexec of MPICH", "PMI_SIZE", "PMI_RANK", {"mpich", "mpi", "openmpi"}},
      {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", {"openmpi", "mpich", "mpi"}},
  };
  return known;
}

}  // namespace

std::optional<Launcher> find_launcher() {
  if (environment::cluster() == "off") return std::nullopt;
  for (const auto& each : known_launchers()) {
    const auto ranks = environment::launchers_number(each.ranks);
    if (!ranks || *ranks == 0) continue;
    return Launcher{each.name, *ranks, environment::launchers_number(each.rank), each.modules};
  }
  return std::nullopt;
}

}  // namespace clopt::cluster
