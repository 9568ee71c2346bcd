# Packages of Debian by CPack, one for each component of cmake/install.cmake. tools/packages configures for them: the
# prefix /usr, and no search paths in what is installed.
set(soname_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clopt)
set(CPACK_PACKAGE_VENDOR clopt)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
# Summaries are the first lines of the components' descriptions.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packages/stage.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packages/finish.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL library dev)
foreach(component opencl program)
  if(TARGET clopt-backend-opencl AND component STREQUAL "opencl" OR TARGET clopt-program AND component STREQUAL "program")
    list(APPEND CPACK_COMPONENTS_ALL ${component})
  endif()
endforeach()
if(CLOPT_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
# The modules that reach MPI, a package each, since each depends on its MPI.
foreach(module IN LISTS CLOPT_CLUSTER_MODULES)
  string(REGEX REPLACE ".*-([a-z]+)[.]so" "\\1" mpi ${module})
  list(APPEND CPACK_COMPONENTS_ALL ${mpi})
endforeach()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# A package of Debian's own, with the release 1, would replace it.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0clopt1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "clopt maintainers <maintainers@clopt.example>")
set(CPACK_DEBIAN_PACKAGE_SOURCE clopt)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Dependencies on other libraries are detected, those between these packages are written out.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(this_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libclopt${soname_version})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libclopt${soname_version}-opencl")
# Objectives that a user writes are compiled when they run.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "g++ | c++-compiler")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
"Optimisation solvers for OpenCL devices and processors - library
clopt solves subset-sum exactly, minimises by differential evolution and by
genetic algorithms, learns models of bits (ECGA), schedules the complete
exchange on networks, and fits curves to many rows of data. One seed gives the
same bits on every device.
.
This package holds the library and its backend for processors.")

set(CPACK_DEBIAN_OPENCL_PACKAGE_NAME libclopt${soname_version}-opencl)
set(CPACK_DEBIAN_OPENCL_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_OPENCL_PACKAGE_DEPENDS "libclopt${soname_version} ${this_version}")
set(CPACK_DEBIAN_OPENCL_PACKAGE_SUGGESTS "opencl-icd")
set(CPACK_DEBIAN_OPENCL_DESCRIPTION
"Optimisation solvers for OpenCL devices and processors - OpenCL backend
With this backend the solvers of clopt run on every OpenCL device whose driver
is installed.")

foreach(mpi IN ITEMS "openmpi|Open MPI" "mpich|MPICH")
  string(REGEX REPLACE "[|].*" "" component ${mpi})
  string(REGEX REPLACE ".*[|]" "" name ${mpi})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME libclopt${soname_version}-${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "libclopt${soname_version} ${this_version}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION
"Optimisation solvers for OpenCL devices and processors - jobs of ${name}
With this module the processes that ${name}'s launcher starts on several
machines share the work of a run of clopt.")
endforeach()

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libclopt-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libclopt${soname_version} ${this_version}")
set(CPACK_DEBIAN_DEV_DESCRIPTION
"Optimisation solvers for OpenCL devices and processors - headers
The headers of clopt, and what CMake and pkg-config need to find it.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME clopt)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libclopt${soname_version} ${this_version}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libclopt${soname_version}-opencl")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"Optimisation solvers for OpenCL devices and processors - program
clopt solves subset-sum exactly, minimises by differential evolution and by
genetic algorithms, learns models of bits (ECGA), schedules the complete
exchange on networks, and fits curves to many rows of data, from the command
line.")

if(CLOPT_PYTHON)
  string(REGEX REPLACE "^3[.]" "" minor ${CLOPT_PYTHON_VERSION})
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-clopt)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${minor}~), python3 (<< 3.${next}), python3-numpy, libclopt${soname_version} ${this_version}")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "libclopt${soname_version}-opencl")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-scipy, python3-networkx")
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"Optimisation solvers for OpenCL devices and processors - Python package
The solvers of clopt for numpy arrays and functions of Python: subset-sum,
differential evolution, genetic algorithms, ECGA, schedules of the complete
exchange and fits of curves.")
endif()

# What only packages hold: a plain installation leaves it out.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(documents DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/changelog RENAME changelog.Debian ${documents})
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright ${documents})
endforeach()
include(CPack)
