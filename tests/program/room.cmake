target_sources(${target} PRIVATE fuzz/checkpoint_parts.cpp)
target_include_directories(${target} SYSTEM PRIVATE ${XXHASH_INCLUDE_DIR})
