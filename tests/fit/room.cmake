target_compile_definitions(${target} PRIVATE CLOPT_TEST_NIST="${CMAKE_CURRENT_SOURCE_DIR}/fit/nist.txt")
