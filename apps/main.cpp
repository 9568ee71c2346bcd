/// \file
/// The clopt program: finds the subcommand, and turns what goes wrong into a message and an exit status.
#include <clopt/detail/background.hpp>
#include <clopt/detail/streams.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <new>
#include <system_error>

#include <commands/subcommand.hpp>
#include <frame/options/environment_check.hpp>
#include <frame/options/mpi_job.hpp>
#include <frame/options/options.hpp>
#include <frame/output/output.hpp>
#include <frame/output/start_message.hpp>
#include <frame/output/terminal.hpp>
#include <frame/run/crash_message.hpp>
#include <frame/run/interruption.hpp>

namespace clopt::apps {
namespace {

// A closed standard stream would give its number to the next file that is opened, such as a record of the cache, and
// the result would go there. The stand-in fails as a closed stream does: it is opened for the wrong direction.
void hold_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) == -1) {
      const int opened = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      static_cast<void>(opened);  // it takes the lowest number that is free, which is this one
    }
}

constexpr std::string_view summary = "Optimisation on any OpenCL device, and on the processor through OpenMP.";
constexpr std::string_view trust =
    "The text of an objective (FILE.cl) is compiled and run as code, with your rights: take only texts that you trust.";
constexpr std::string_view statuses =
    "Exit status: 0 done; 2 wrong use or bad input; 3 no such device, or it failed, or memory ran out; 4 ended "
    "without what was asked for, such as a proof; 130 interrupted.";

std::string help(int descriptor) {
  const auto width = line_width(descriptor);
  auto text = fmt::format("clopt SUBCOMMAND [OPTION...]\n\n{}\n\nSubcommands:\n", wrapped(summary, width));
  for (const auto& subcommand : subcommands()) {
    const auto names = subcommand.short_name.empty() ? std::string(subcommand.name)
                                                     : fmt::format("{}, {}", subcommand.name, subcommand.short_name);
    text += wrapped(fmt::format("  {:<28}{}", names, subcommand.summary), width, 30) + '\n';
  }
  text += "\nOptions:\n  -h, --help                print this help\n  --version                 print the version\n\n";
  return text + wrapped_paragraphs(
                    fmt::format("{}\n\n`clopt SUBCOMMAND --help` lists a subcommand's options.\n\n{}", trust, statuses),
                    width);
}

// What manuals, completions and the tables of the documentation are made of.
int describe() {
  Json list = Json::array();
  for (const auto& subcommand : subcommands()) {
    auto description = description_by([&] { subcommand.run({}); });
    description["summary"] = subcommand.summary;
    description["short_name"] = subcommand.short_name;
    list.push_back(std::move(description));
  }
  print_json({{"name", "clopt"},
              {"version", version()},
              {"summary", summary},
              {"trust", trust},
              {"exit_status", statuses},
              {"subcommands", std::move(list)}});
  return Status::done;
}

const Subcommand& find(const std::string& name) {
  std::vector<std::string> names{"--help", "--version"};
  for (const auto& subcommand : subcommands()) {
    if (subcommand.is_called(name)) return subcommand;
    names.emplace_back(subcommand.name);
  }
  throw InvalidInput(fmt::format("there is no {} '{}'{}. `clopt --help` lists them",
                                 name.starts_with('-') ? "option" : "subcommand", printable(name),
                                 nearest_text(name, names)));
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    print_error("clopt: name a subcommand\n\n" + help(STDERR_FILENO));
    return Status::wrong_use;
  }
  const auto& first = arguments.front();
  const bool wants_help = first == "--help" || first == "-h" || first == "help";
  const bool wants_description = first == "--describe";  // for programs, so help leaves it out
  if (wants_help || wants_description || first == "--version") {
    if (arguments.size() > 1)
      throw InvalidInput(
          fmt::format("'{}' is one argument too many after {}; `clopt SUBCOMMAND --help` lists a "
                      "subcommand's options",
                      printable(arguments[1]), first));
    if (wants_description) return describe();
    print(wants_help ? help(STDOUT_FILENO) : fmt::format("{}\n", version()));
    return Status::done;
  }
  const int status = find(first).run({arguments.begin() + 1, arguments.end()});
  const bool is_json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  if (status == Status::interrupted && !is_json) print("ended by  Ctrl-C, or a signal: the best until then\n");
  return status;
}

int report(std::string_view subcommand, std::string_view what, int status) {
  while (what.ends_with('\n')) what.remove_suffix(1);
  // A solver's own messages begin with its name too.
  if (what.starts_with(fmt::format("{}: ", subcommand))) what.remove_prefix(subcommand.size() + 2);
  print_error(
      fmt::format("clopt{}{}: {}\n", subcommand.empty() ? "" : " ", subcommand, shortened(with_option_names(what))));
  return status;
}

// Without memory of its own.
int report_exhausted() noexcept {
  print_cursor(
      "clopt: the host's memory is exhausted; give a smaller problem, end other programs, or raise the limit (ulimit "
      "-v)\n");
  return Status::device_failed;
}

// Turns what goes wrong into a message and a status.
int reporting(const std::string& subcommand, const std::function<int()>& work) {
  try {
    return work();
  } catch (const OutputClosed& error) {
    // The reader closed the pipe, as `head` does.
    if (error.number() == EPIPE) return Status::wrong_use;
    return report(subcommand, error.what(), Status::wrong_use);
  } catch (const InvalidInput& error) {
    return report(subcommand, error.what(), Status::wrong_use);
  } catch (const Cancelled& error) {
    return report(subcommand, error.what(), Status::interrupted);
  } catch (const Json::exception&) {
    // Only files have JSON that the program itself did not make.
    return report(subcommand, "the checkpoint or slice does not hold its whole run: another program wrote it",
                  Status::wrong_use);
  } catch (const std::bad_alloc&) {
    return report_exhausted();
  } catch (const std::system_error& error) {
    return report(
        subcommand,
        fmt::format("the system refuses what the run needs, such as a thread: {}; end other programs, or raise "
                    "the limits (ulimit -u, -v, -n)",
                    system_message(error.code().value())),
        Status::device_failed);
  } catch (const std::exception& error) {
    return report(subcommand, error.what(), Status::device_failed);
  }
}

int run_as_subcommand(const Arguments& arguments) {
  const Subcommand* subcommand = nullptr;
  for (const auto& known : subcommands())
    if (!arguments.empty() && known.is_called(arguments.front())) subcommand = &known;
  const std::string name(subcommand ? subcommand->name : "");
  const auto work = [&] { return reporting(name, [&] { return run(arguments); }); };
  const auto read_options = [&] {
    if (subcommand) subcommand->run({arguments.begin() + 1, arguments.end()});
  };
  const bool works_alone = subcommand && subcommand->works_alone;
  return reporting(name, [&] { return run_in_job(name, works_alone, work, read_options); });
}

int start(int count, char** words) {
  hold_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a write then fails, which is handled
  std::signal(SIGXFSZ, SIG_IGN);  // and so does one beyond the limit on the size of files
  hide_driver_output();
  report_crashes();
  check_environment();
  const Interruption interruption;
  const auto is_given = [&](std::string_view option) {
    return std::find(words, words + count, option) != words + count;
  };
  const StartMessage notice(!is_given("--quiet") && !is_given("--json"));
  return run_as_subcommand({words + std::min(count, 1), words + count});
}

}  // namespace
}  // namespace clopt::apps

int main(int count, char** words) {
  try {
    const int status = clopt::apps::reporting({}, [&] { return clopt::apps::start(count, words); });
    clopt::apps::allow_exit();
    // A driver that is still being started is not waited for, and must not be torn down under its call.
    if (!clopt::end_background_work(0)) _exit(status);
    return status;
  } catch (...) {
    // There was no memory for the message; or it is the exception of another language, of a driver. Its own run-time
    // system would abort at the end of this block.
    if (abi::__cxa_current_exception_type() == nullptr)
      clopt::apps::print_cursor(
          "clopt: a device's driver failed; it may lack memory or processes (ulimit -v, -u); else take another "
          "device\n");
    else
      clopt::apps::report_exhausted();
    _exit(clopt::apps::Status::device_failed);
  }
}
