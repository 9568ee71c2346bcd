# Jobs of MPI, under the launcher of each MPI whose module is built.
if(TARGET clopt-program AND NOT CLOPT_SANITIZE AND "differential_evolution" IN_LIST CLOPT_SOLVERS)
  add_library(test_other_version MODULE cluster/shims/other_version.cpp)
  target_link_libraries(test_other_version PRIVATE clopt clopt_settings)
  set(shims ${CMAKE_CURRENT_BINARY_DIR}/shims)
  set_target_properties(test_other_version PROPERTIES OUTPUT_NAME other_version LIBRARY_OUTPUT_DIRECTORY ${shims})
  add_executable(cluster_requests cluster/requests/main.cpp)
  target_include_directories(cluster_requests PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/kernels_cl
    ${PROJECT_SOURCE_DIR}/cluster ${CLOPT_GENERATED})
  target_link_libraries(cluster_requests PRIVATE clopt_inside clopt_settings)
  target_link_options(cluster_requests PRIVATE -rdynamic)
  set_target_properties(cluster_requests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_dependencies(cluster_requests clopt-cluster-modules)
  if("exchange" IN_LIST CLOPT_SOLVERS AND "genetic" IN_LIST CLOPT_SOLVERS AND "subset_sum" IN_LIST CLOPT_SOLVERS)
    add_executable(cluster_solves cluster/solves/main.cpp)
    target_link_libraries(cluster_solves PRIVATE clopt clopt_settings)
    set_target_properties(cluster_solves PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    add_dependencies(cluster_solves clopt-cluster-modules)
  endif()
  find_program(CLOPT_LAUNCHER_OPENMPI mpirun.openmpi)
  find_program(CLOPT_LAUNCHER_MPICH mpiexec.hydra)
  foreach(mpi openmpi mpich)
    string(TOUPPER ${mpi} upper)
    if(NOT CLOPT_MPICC_${upper} OR NOT CLOPT_LAUNCHER_${upper})
      message(STATUS "mpicc.${mpi} or its launcher is missing: jobs of this MPI are not tested")
      continue()
    endif()
    add_custom_command(OUTPUT ${shims}/count_messages-${mpi}.so
      COMMAND ${CLOPT_MPICC_${upper}} -O2 -Wall -Wextra -fPIC -shared -o ${shims}/count_messages-${mpi}.so
              ${CMAKE_CURRENT_SOURCE_DIR}/cluster/shims/count_messages.c
      DEPENDS cluster/shims/count_messages.c)
    add_custom_target(test_count_messages_${mpi} ALL DEPENDS ${shims}/count_messages-${mpi}.so)
    clopt_platform_environment(openmp environment)
    set(vendors "")
    if(pocl IN_LIST platforms)
      set(vendors ${CLOPT_TEST_PLATFORMS}/pocl)
    endif()
    # One MPI's jobs and the other one's start are enough for every day.
    set(tests "")
    if(mpi STREQUAL openmpi OR CLOPT_TEST_WIDE)
      add_test(NAME cluster.${mpi} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cluster/jobs $<TARGET_FILE:clopt-program> ${mpi} ${shims} $<TARGET_FILE:cluster_requests> ${vendors})
      list(APPEND tests cluster.${mpi})
    endif()
    if(mpi STREQUAL mpich OR CLOPT_TEST_WIDE)
      add_test(NAME cluster.${mpi}.cold COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cluster/cold $<TARGET_FILE:clopt-program> ${mpi} ${shims})
      # The long tests have 480 jobs.
      set_tests_properties(cluster.${mpi}.cold PROPERTIES TIMEOUT 2400 LABELS cluster ENVIRONMENT "${environment}")
    endif()
    if(CLOPT_TEST_WIDE)
      add_test(NAME cluster.${mpi}.kills COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cluster/kills $<TARGET_FILE:clopt-program> ${mpi} ${shims})
      list(APPEND tests cluster.${mpi}.kills)
    endif()
    if(tests)
      set_tests_properties(${tests} PROPERTIES TIMEOUT 1200 LABELS cluster ENVIRONMENT "${environment}")
    endif()
  endforeach()
endif()

# Jobs of many machines in simulated time. SimGrid's MPI copies the program's globals for each rank, so that the module
# and the library's part for ranks are linked into it, and its own clock, threads and sleep come first (-Bsymbolic).
find_program(CLOPT_SMPICC smpicc)
find_program(CLOPT_SMPIRUN smpirun)
if(CLOPT_SMPICC AND CLOPT_SMPIRUN AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CLOPT_SANITIZE AND TARGET clopt-program)
  get_filename_component(simgrid ${CLOPT_SMPICC} DIRECTORY)
  get_filename_component(simgrid ${simgrid} DIRECTORY)
  set(simulation_objects "")
  foreach(source ${PROJECT_SOURCE_DIR}/cluster/module.c ${CMAKE_CURRENT_SOURCE_DIR}/cluster/simulation/thread_level.c)
    get_filename_component(name ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/cluster_simulation_${name}.o)
    add_custom_command(OUTPUT ${object} COMMAND ${CLOPT_SMPICC} -O2 -Wall -Wextra -fPIC -c ${source} -o ${object}
      DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cluster/clopt_cluster_module.h)
    list(APPEND simulation_objects ${object})
  endforeach()
  add_library(cluster_simulation_state SHARED cluster/simulation/shared_state.cpp)
  set_target_properties(cluster_simulation_state PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set(simulation_sources main islands linked_module simulated_system)
  list(TRANSFORM simulation_sources PREPEND cluster/simulation/)
  list(TRANSFORM simulation_sources APPEND .cpp)
  set(cluster_sources cluster/communicator cluster/session cluster/start_check group/distribution group/group
    group/mailbox group/ranges group/serving group/workers)
  list(TRANSFORM cluster_sources PREPEND ${PROJECT_SOURCE_DIR}/lib/)
  list(TRANSFORM cluster_sources APPEND .cpp)
  add_library(cluster_simulation MODULE ${simulation_sources} ${cluster_sources}
    ${PROJECT_SOURCE_DIR}/lib/support/process/environment.cpp ${simulation_objects})
  target_include_directories(cluster_simulation PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/kernels_cl
    ${PROJECT_SOURCE_DIR}/cluster ${CLOPT_GENERATED})
  target_include_directories(cluster_simulation SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR} ${simgrid}/include
    ${simgrid}/include/smpi)
  # Each rank has its own of what is unique in a process otherwise.
  target_compile_options(cluster_simulation PRIVATE -fno-gnu-unique -fvisibility=default
    $<$<CONFIG:Release>:-O1>)
  target_link_options(cluster_simulation PRIVATE -Wl,-Bsymbolic)
  target_link_libraries(cluster_simulation PRIVATE clopt clopt_settings cluster_simulation_state fmt::fmt simgrid)
  set_target_properties(cluster_simulation PROPERTIES PREFIX "" SUFFIX "" INTERPROCEDURAL_OPTIMIZATION OFF
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  # A short one: larger jobs take minutes.
  if(CLOPT_TEST_WIDE)
    add_test(NAME cluster.simulation COMMAND ${PROJECT_SOURCE_DIR}/tools/simulate-cluster --build ${CMAKE_BINARY_DIR}
      --machines 1,4,16 --problems 10000 --mean 0.05 --least 98)
    add_test(NAME cluster.simulation.islands COMMAND ${PROJECT_SOURCE_DIR}/tools/simulate-cluster
      --build ${CMAKE_BINARY_DIR} --machines 1,4,16,64 --islands 64 --generation 0.01 --epochs 10 --most 30)
    set_tests_properties(cluster.simulation cluster.simulation.islands PROPERTIES TIMEOUT ${CLOPT_TEST_TIMEOUT}
      LABELS cluster)
  endif()
else()
  message(STATUS "smpicc or smpirun is missing: jobs of many machines are not simulated")
endif()
