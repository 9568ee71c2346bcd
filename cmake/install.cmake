# The installed tree: program, library, backends beside it, headers, and how others find them. Its components are the
# packages of distributions: library, opencl, dev and program.
include(CMakePackageConfigHelpers)

set(modules ${CMAKE_INSTALL_LIBDIR}/${CLOPT_MODULES})
install(TARGETS clopt EXPORT clopt
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(TARGETS clopt-probe clopt-guard RUNTIME DESTINATION ${modules} COMPONENT library)
if(TARGET clopt-backend-openmp)
  install(TARGETS clopt-backend-openmp LIBRARY DESTINATION ${modules} COMPONENT library)
endif()
if(TARGET clopt-backend-opencl)
  install(TARGETS clopt-backend-opencl LIBRARY DESTINATION ${modules} COMPONENT opencl)
endif()
install(DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${CLOPT_MODULES}/cluster DESTINATION ${modules} COMPONENT library)
foreach(module IN LISTS CLOPT_CLUSTER_MODULES)
  string(REGEX REPLACE ".*-([a-z]+)[.]so" "\\1" mpi ${module})
  install(PROGRAMS ${module} DESTINATION ${modules} COMPONENT ${mpi})
endforeach()
if(TARGET clopt-program)
  install(TARGETS clopt-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # As in the build folder: there is one program, of one version.
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/clopt DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program)
endif()
if(TARGET clopt_described)
  # Debian keeps packages' completions apart: share/zsh/vendor-completions.
  set(CLOPT_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "The folder of completions of zsh")
  set(described ${PROJECT_BINARY_DIR}/described)
  install(DIRECTORY ${described}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program OPTIONAL)
  install(FILES ${described}/bash/clopt DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT program OPTIONAL)
  install(FILES ${described}/zsh/_clopt DESTINATION ${CLOPT_ZSH_COMPLETIONS} COMPONENT program OPTIONAL)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/include/clopt ${CLOPT_GENERATED}/clopt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT clopt NAMESPACE clopt:: FILE cloptTargets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/clopt
  COMPONENT dev)

# What programs that link to a static library need.
set(CLOPT_DEPENDENCIES "")
set(CLOPT_PRIVATE_LIBRARIES "")
if(NOT CLOPT_SHARED)
  set(CLOPT_DEPENDENCIES "include(CMakeFindDependencyMacro)\nfind_dependency(fmt)\nfind_dependency(OpenMP COMPONENTS CXX)\n")
  set(CLOPT_PRIVATE_LIBRARIES "-lfmt -fopenmp -ldl")
  if(TARGET clopt-backend-opencl-code)
    string(APPEND CLOPT_DEPENDENCIES "find_dependency(OpenCL)\n")
    string(APPEND CLOPT_PRIVATE_LIBRARIES " -lOpenCL")
  endif()
  if(CLOPT_HAS_CLP)
    string(APPEND CLOPT_PRIVATE_LIBRARIES " -lClp -lCoinUtils")
  endif()
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cloptConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cloptConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/clopt)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cloptConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cloptConfig.cmake ${PROJECT_BINARY_DIR}/cloptConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/clopt COMPONENT dev)

# Debian's packages name the licence in their own way.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/clopt COMPONENT license)

# pkg-config learns the prefix from where its own file lies, so that the tree can be moved.
file(RELATIVE_PATH CLOPT_PREFIX_FROM_PKGCONFIG
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/clopt.pc.in ${PROJECT_BINARY_DIR}/clopt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clopt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
