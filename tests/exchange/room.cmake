# Oclgrind 21.10 calls values of these kernels uninitialised that were written; which of its rules is at work is not
# known.
set(oclgrind_environment CLOPT_OCLGRIND_UNINITIALIZED=0)
# The forms of the host's moves, of which the backend itself takes one.
target_sources(${target} PRIVATE $<FILTER:$<TARGET_OBJECTS:clopt-backend-openmp-code>,INCLUDE,openmp/exchange/moves\\.cpp>)
target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/backends)
target_compile_definitions(${target} PRIVATE CLOPT_TEST_EXAMPLES="${PROJECT_SOURCE_DIR}/docs/examples")
