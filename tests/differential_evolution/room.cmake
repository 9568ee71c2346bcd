# Oclgrind 21.10 calls values of these kernels uninitialised that were written; which of its rules is at work is not
# known.
set(oclgrind_environment CLOPT_OCLGRIND_UNINITIALIZED=0)
# Its inlining of functions that return structures makes an intrinsic that it does not know itself.
list(APPEND oclgrind_environment CLOPT_OCLGRIND_OPTIONS=-fno-inline)
target_compile_definitions(${target} PRIVATE CLOPT_TEST_EXAMPLES="${PROJECT_SOURCE_DIR}/docs/examples")
