# An overlay port: vcpkg install clopt --overlay-ports=packaging/vcpkg, from a checkout.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES
  opencl CLOPT_OPENCL
  program CLOPT_BUILD_PROGRAM)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DCLOPT_BUILD_TESTS=OFF -DCLOPT_CLP=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/clopt)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
# Backends and the programs that the library runs lie beside it.
set(VCPKG_POLICY_ALLOW_EXES_IN_LIB enabled)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
