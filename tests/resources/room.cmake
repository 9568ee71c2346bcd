# The program, and one that is killed while it solves something by the library.
add_executable(killed_run resources/killed/main.cpp)
target_link_libraries(killed_run PRIVATE clopt clopt_settings)
set_target_properties(killed_run PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_dependencies(killed_run clopt_product)
add_dependencies(${target} clopt-program killed_run)
target_compile_definitions(${target} PRIVATE CLOPT_PROGRAM="$<TARGET_FILE:clopt-program>"
  CLOPT_KILLED_RUN="$<TARGET_FILE:killed_run>")
