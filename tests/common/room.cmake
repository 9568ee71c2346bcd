# Vectors of each instruction set. They stay apart from the other files, and are optimised as in the backend; g++ 12 takes
# no precompiled headers before their pragmas: see backends/CMakeLists.txt.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/common/lanes.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/common/lanes_random.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/backends
  COMPILE_OPTIONS "$<$<CONFIG:Release>:-O2>")
