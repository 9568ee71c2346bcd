# What must not be built, the installed tree, and README.md's commands: once is enough.
if(NOT CLOPT_SANITIZE)
  # What the library exports is what its headers declare.
  add_test(NAME abi COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/abi/check ${PROJECT_SOURCE_DIR} $<TARGET_FILE:clopt>)
  set_tests_properties(abi PROPERTIES TIMEOUT 60 LABELS compile)
  # The objects that the backend is linked of: a build folder may have others of earlier sources. A precompiled header
  # counts as one.
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/openmp_objects
    CONTENT "$<JOIN:$<TARGET_OBJECTS:clopt-backend-openmp>,\n>\n$<JOIN:$<FILTER:$<TARGET_OBJECTS:clopt-backend-openmp-code>,EXCLUDE,[.]gch$>,\n>\n$<JOIN:$<TARGET_OBJECTS:clopt_support>,\n>\n")
  foreach(step operations twins)
    add_test(NAME compile.${step} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/compile/check ${step} ${PROJECT_SOURCE_DIR}
      ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER} ${RANDOM123_INCLUDE_DIR})
    set_tests_properties(compile.${step} PROPERTIES TIMEOUT 300 LABELS compile)
  endforeach()
  add_subdirectory(install)
  # A static library of the same objects, in a program of its own and beside one with the shared library.
  add_library(clopt_static STATIC)
  clopt_fill_static_library(clopt_static "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${CLOPT_MODULES}")
  set_target_properties(clopt_static PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_include_directories(clopt_static INTERFACE ${PROJECT_SOURCE_DIR}/lib/include ${CLOPT_GENERATED})
  foreach(kind static shared)
    add_executable(test_${kind} static/main.cpp)
    target_compile_features(test_${kind} PRIVATE cxx_std_20)
    set_target_properties(test_${kind} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endforeach()
  target_link_libraries(test_static PRIVATE clopt_static clopt_settings)
  target_link_libraries(test_shared PRIVATE clopt::clopt clopt_settings)
  add_dependencies(test_static clopt-probe clopt-guard)
  foreach(platform IN LISTS whole_platforms)
    clopt_platform_environment(${platform} environment)
    string(REGEX MATCH "CLOPT_TEST_DEVICE=([^;]+)" device "${environment}")
    add_test(NAME static.${platform} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/static/check $<TARGET_FILE:test_static>
      $<TARGET_FILE:test_shared> openmp:0 ${CMAKE_MATCH_1})
    set_tests_properties(static.${platform} PROPERTIES TIMEOUT 300 LABELS ${platform} ENVIRONMENT "${environment}")
  endforeach()
  # The library as a part of another project's build.
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_test(NAME embedded COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/embedded/check ${PROJECT_SOURCE_DIR}
      ${CMAKE_CURRENT_BINARY_DIR}/embedded ${CMAKE_CXX_COMPILER})
    set_tests_properties(embedded PROPERTIES TIMEOUT 3600 LABELS install)
  endif()
  if(EXISTS ${PROJECT_SOURCE_DIR}/packaging)
    if(Python3_EXECUTABLE)
      add_test(NAME sbom COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/sbom/check ${PROJECT_SOURCE_DIR})
      set_tests_properties(sbom PROPERTIES TIMEOUT 120 LABELS install)
    endif()
    add_test(NAME reproducible COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/reproducible/check ${PROJECT_SOURCE_DIR})
    set_tests_properties(reproducible PROPERTIES TIMEOUT 60 LABELS install)
    add_test(NAME recipes COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/recipes/check ${PROJECT_SOURCE_DIR})
    set_tests_properties(recipes PROPERTIES TIMEOUT 600 LABELS install)
  endif()
  # Words that comments and messages do without.
  find_program(PYTHON3 python3)
  if(PYTHON3 AND EXISTS ${PROJECT_SOURCE_DIR}/tools/words.py)
    add_test(NAME words COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/words/check ${PROJECT_SOURCE_DIR})
    # Files, folders and functions that the pages name.
    add_test(NAME pages COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/pages/check ${PROJECT_SOURCE_DIR})
    set_tests_properties(words pages PROPERTIES TIMEOUT 60 LABELS style)
    add_test(NAME benchmarks COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/benchmarks/check ${PROJECT_SOURCE_DIR})
    set_tests_properties(benchmarks PROPERTIES TIMEOUT 300 LABELS style)
  endif()
  # What is made of the program's description of itself.
  if(TARGET clopt_described)
    add_test(NAME described COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/described/check ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    set_tests_properties(described PROPERTIES TIMEOUT 600 LABELS program)
  endif()
  # What the program printed and wrote before, and files of earlier versions.
  find_program(CLOPT_PYTHON3 python3)
  if(CLOPT_PYTHON3 AND TARGET clopt-program)
    add_test(NAME kept COMMAND ${CLOPT_PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/kept/check $<TARGET_FILE:clopt-program>)
    set_tests_properties(kept PROPERTIES TIMEOUT ${CLOPT_TEST_TIMEOUT} LABELS program)
    # The tables of the papers, at their small sizes.
    if(CLOPT_TEST_WIDE)
      add_test(NAME tables COMMAND ${CLOPT_PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/tables/check $<TARGET_FILE:clopt-program>)
      set_tests_properties(tables PROPERTIES TIMEOUT 1200 LABELS program)
    endif()
    # What a person sees in a terminal.
    add_test(NAME terminal COMMAND ${CLOPT_PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/terminal/check
      $<TARGET_FILE:clopt-program> ${PROJECT_SOURCE_DIR})
    set_tests_properties(terminal PROPERTIES TIMEOUT 600 LABELS program)
    # The same in a host that has chosen a locale. The sanitizers' libraries come before all that is preloaded.
    if(NOT CLOPT_SANITIZE)
      add_library(test_locale MODULE locale/choose.cpp)
      target_link_libraries(test_locale PRIVATE clopt_settings)
      set_target_properties(test_locale PROPERTIES OUTPUT_NAME choose_locale LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
      set(python ${CLOPT_PYTHON3} "")
      if(TARGET _core)
        set(python ${CLOPT_TEST_PYTHON} ${CMAKE_BINARY_DIR}/python)
      endif()
      set(vendors "")
      if(pocl IN_LIST whole_platforms)
        set(vendors ${CLOPT_TEST_PLATFORMS}/pocl)
      endif()
      add_test(NAME locale COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/locale/check $<TARGET_FILE:clopt-program>
        $<TARGET_FILE:test_locale> ${python} ${vendors})
      set_tests_properties(locale PROPERTIES TIMEOUT ${CLOPT_TEST_TIMEOUT} LABELS program
        ENVIRONMENT "$<$<BOOL:${CLOPT_TEST_WIDE}>:CLOPT_TEST_WIDE=1>")
    endif()
  elseif(TARGET clopt-program)
    message(STATUS "python3 is missing: what the program prints is not compared with what is kept")
  endif()
  add_test(NAME solver_names COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/solver_names/check ${PROJECT_SOURCE_DIR})
  set_tests_properties(solver_names PROPERTIES TIMEOUT 120 LABELS install)
  # A solver more than there are, in a copy of the sources. Where the program is built fast, and once.
  if(TARGET clopt-program AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CLOPT_TEST_WIDE)
    add_test(NAME new_solver COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/new_solver/check ${PROJECT_SOURCE_DIR}
      ${CMAKE_CURRENT_BINARY_DIR}/new_solver ${CMAKE_CXX_COMPILER} ${CLOPT_TEST_PYTHON})
    set_tests_properties(new_solver PROPERTIES TIMEOUT 900 LABELS new_solver)
  endif()
  if(EXISTS ${PROJECT_SOURCE_DIR}/README.md)
    add_test(NAME readme COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/readme/check ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    # Kernels that other tests have built need not be built again.
    set_tests_properties(readme PROPERTIES TIMEOUT ${CLOPT_TEST_TIMEOUT} LABELS readme RUN_SERIAL TRUE
      ENVIRONMENT "CLOPT_CACHE_DIR=${test_cache};POCL_CACHE_DIR=${test_cache}/pocl")
    # The examples build kernels for more than a minute, and the solvers' own cases are tried there anyway.
    if(TARGET clopt-program AND CLOPT_TEST_WIDE)
      # What the examples give on OpenMP, which every platform is compared with.
      set(reference ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/readme)
      clopt_platform_environment(openmp environment)
      add_test(NAME readme.reference COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/readme/same ${reference})
      set_tests_properties(readme.reference PROPERTIES TIMEOUT ${CLOPT_TEST_TIMEOUT} LABELS readme
        FIXTURES_SETUP readme_reference ENVIRONMENT "${environment}")
      foreach(platform IN LISTS whole_platforms)
        clopt_platform_environment(${platform} environment)
        string(REGEX MATCH "CLOPT_TEST_DEVICE=([^;]+)" device "${environment}")
        add_test(NAME readme.${platform} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/readme/same ${reference} ${CMAKE_MATCH_1})
        set_tests_properties(readme.${platform} PROPERTIES TIMEOUT ${CLOPT_TEST_TIMEOUT} LABELS ${platform}
          FIXTURES_REQUIRED readme_reference ENVIRONMENT "${environment}")
      endforeach()
    endif()
  endif()
endif()
