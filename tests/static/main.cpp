// A program that the static library is linked into: static DEVICE... solves on each device, by a built-in objective and
// by a text of its own. Prints the checksums; neither is a module loaded, nor does the program know where sources lie.
#include <clopt/clopt.hpp>

#include <cstdio>
#include <exception>
#include <string>

int main(int count, char** words) try {
  std::string backends;
  for (const auto& info : clopt::list_devices().devices) backends += info.backend + " ";
  std::printf("%s\n", backends.c_str());
  for (int i = 1; i < count; ++i) {
    clopt::DeviceOptions untested;
    untested.self_test = false;  // which takes the time of more kernels to build
    const auto device = clopt::open_device(words[i], untested);
    const auto instance = clopt::subset_sum::make_instance("p:50", 7);
    clopt::subset_sum::Options how;
    how.method = "k3-32";
    how.reduce = false;  // else nothing is left for the device
    const auto sum = clopt::subset_sum::solve(instance, how, *device);
    const clopt::genetic::Problem problem{
        clopt::Objective::from_text("// clopt: reals, minimise, lower -1, upper 1\n"
                                    "real objective_term(individual x, uint i) { return gene(x, i) * gene(x, i); }\n"),
        7,
        {},
        {}};
    clopt::genetic::Options options;
    options.generations = 5;
    const auto found = clopt::genetic::solve(problem, options, *device);
    std::printf("%016llx %016llx\n", static_cast<unsigned long long>(sum.checksum),
                static_cast<unsigned long long>(found.checksum));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
