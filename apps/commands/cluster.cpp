/// \file
/// `clopt cluster`: the job that this process is in, and modules for MPI.
#include <clopt/cluster.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <frame/options/common_options.hpp>
#include <frame/options/mpi_job.hpp>
#include "subcommand.hpp"

namespace clopt::apps::cluster_command {
namespace {

constexpr const char* usual_file = "libclopt-cluster-mpi.so";

int show(bool json) {
  const auto* member = job_member();
  if (json)
    print_json(member ? Json{{"engine", "MPI"}, {"library", member->library()}, {"ranks", member->ranks()}}
                      : Json{{"engine", nullptr}, {"ranks", 1}});
  else if (member)
    print(fmt::format("library   {}\nranks     {}, {} on this machine\n", member->library(), member->ranks(),
                      member->local_ranks()));
  else
    print("no launcher of MPI has started this process, or it has started no other\n");
  return Status::done;
}

int build(const Options& options, bool json) {
  const auto wrapper = options.text("mpicc").value_or("mpicc");
  const auto file = options.text("output").value_or(usual_file);
  cluster::build_module(wrapper, file);
  if (json)
    print_json({{"module", file}});
  else
    print(fmt::format("wrote {0}; jobs of this MPI use it with CLOPT_CLUSTER={1}{0}\n", file,
                      file.find('/') == std::string::npos ? "./" : ""));
  return Status::done;
}

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser("cluster", "[build] [OPTION...]",
                      "Shows the job of MPI that a launcher (mpirun, mpiexec, srun) has started the program in, or "
                      "compiles the module for an MPI library that none is installed for.");
  parser.example("")
      .example("build --mpicc mpicc.openmpi --output clopt-mpi.so")
      .argument("build")
      .value("mpicc", "MPICC", "the compiler's wrapper of that MPI (default mpicc)")
      .value("output", "FILE", fmt::format("write the module (default {})", usual_file))
      .switch_("json", "print one JSON object");
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto action = options->text("build");
  if (action && *action != "build")
    throw InvalidInput(fmt::format("'{}' is not an action of `clopt cluster`; give `build`, or nothing to show the job",
                                   printable(*action)));
  if (!action && (options->has("mpicc") || options->has("output")))
    throw InvalidInput("--mpicc and --output belong to `clopt cluster build`; leave them out, or add `build`");
  return action ? build(*options, options->is_set("json")) : show(options->is_set("json"));
}

}  // namespace clopt::apps::cluster_command
