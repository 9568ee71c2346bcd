/// \file
/// The program clopt-probe, which lies beside the backends: asks drivers in a process of its own.
#include <clopt/detail/probe.hpp>

int main(int count, char** words) { return clopt::answer_apart(count, words); }
