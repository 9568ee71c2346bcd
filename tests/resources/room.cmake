# The program, and the works that it is given.
add_dependencies(${target} clopt-program)
target_compile_definitions(${target} PRIVATE CLOPT_PROGRAM="$<TARGET_FILE:clopt-program>")
