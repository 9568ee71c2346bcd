/// \file
/// Work in a process of its own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

namespace clopt::test {

/// What some work says in a process of its own, since the registry loads the modules once a process; how the process
/// ended follows where it ended badly.
inline std::string apart(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  // Else the child may write it, too.
  std::cout.flush();
  std::fflush(nullptr);
  const auto child = ::fork();
  if (child == 0) {
    std::string text;
    try {
      text = work();
    } catch (const std::exception& error) {
      text = std::string("exception: ") + error.what();
    }
    const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t bytes = 0; (bytes = ::read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(bytes));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? text : text + "\nthe process ended with " + std::to_string(status);
}

}  // namespace clopt::test
