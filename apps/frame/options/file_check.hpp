/// \file
/// One check of all files of a run, before anything is opened.
#pragma once

#include <string>
#include <vector>

namespace clopt::apps {

class Options;

/// An option, or the argument, that may name a file.
struct FileOption {
  std::string name;
  std::string value_name;  ///< has FILE in it: "NAME|FILE.cl", "NAME=FILE"
  bool is_option = true;
  bool is_written = false;  ///< by the run; else it is read
};

/// The files that an option names, which may be one that is repeated.
std::vector<std::string> files_of(const Options& options, const std::string& name);

/// Refuses runs that would lose a file: one that is written and read, or written twice, by whatever names and links;
/// but a checkpoint may be the one that is resumed. Standard input, output and error count where they are files. Also
/// refuses files that cannot be written, and pictures or tables on the standard output of --json.
/// \throws InvalidInput naming both options and the file.
void check_files(const Options& options);

}  // namespace clopt::apps
