# The installed tree: program, library, backends beside it, headers, and how others find them.
include(CMakePackageConfigHelpers)

install(TARGETS clopt EXPORT clopt LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/include/clopt ${CLOPT_GENERATED}/clopt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT clopt NAMESPACE clopt:: FILE cloptTargets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/clopt)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cloptConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cloptConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/clopt)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cloptConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cloptConfig.cmake ${PROJECT_BINARY_DIR}/cloptConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/clopt)

# pkg-config learns the prefix from where its own file lies, so that the tree can be moved.
file(RELATIVE_PATH CLOPT_PREFIX_FROM_PKGCONFIG
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/clopt.pc.in ${PROJECT_BINARY_DIR}/clopt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clopt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
