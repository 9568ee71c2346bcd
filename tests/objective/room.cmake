target_compile_definitions(${target} PRIVATE CLOPT_DOCS="${PROJECT_SOURCE_DIR}/docs")
