# The interface of the modules of MPI.
target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cluster)
