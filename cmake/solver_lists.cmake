# The list of solvers as code, written into the build tree:
#   clopt/solvers.hpp             includes every public header of every solver; installed
#   generated/solvers.inc         CLOPT_SOLVER(name) for each
#   generated/solver_entries.hpp  includes each solver's part of the program
set(public_includes "")
set(entry_includes "")
set(names "")
foreach(solver IN LISTS CLOPT_SOLVERS)
  file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/lib/include CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/lib/include/clopt/${solver}.hpp ${PROJECT_SOURCE_DIR}/lib/include/clopt/${solver}_*.hpp)
  foreach(header IN LISTS headers)
    string(APPEND public_includes "#include <${header}>\n")
  endforeach()
  string(APPEND entry_includes "#include <solvers/${solver}/solver.hpp>\n")
  string(APPEND names "CLOPT_SOLVER(${solver})\n")
endforeach()
file(CONFIGURE OUTPUT ${CLOPT_GENERATED}/clopt/solvers.hpp @ONLY CONTENT
"/// \\file
/// Every solver of this build of clopt.
#pragma once

@public_includes@")
file(CONFIGURE OUTPUT ${CLOPT_GENERATED}/generated/solvers.inc @ONLY CONTENT "@names@")
file(CONFIGURE OUTPUT ${CLOPT_GENERATED}/generated/solver_entries.hpp @ONLY CONTENT
"// Made by cmake/solver_lists.cmake.
#pragma once

@entry_includes@")
