# Run by CPack after packing. Of a package with a shared library it replaces CPack's scripts, which call ldconfig
# themselves, by dpkg's trigger, and adds what others' dependencies are found out by: what depends on the library as a
# whole (shlibs), and since when there is each symbol. All are compressed by xz. What depends on the moment and on the
# order of a folder's files is the same in each build: dpkg-deb takes SOURCE_DATE_EPOCH for what is younger.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(tree "${CPACK_TOPLEVEL_DIRECTORY}/unpacked")
  file(REMOVE_RECURSE "${tree}")
  execute_process(COMMAND dpkg-deb -R "${package}" "${tree}" COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB library "${tree}/usr/lib/*/lib*.so.*" "${tree}/usr/lib/lib*.so.*")
  if(library)
    file(REMOVE "${tree}/DEBIAN/postinst" "${tree}/DEBIAN/postrm")
    file(STRINGS "${tree}/DEBIAN/control" fields REGEX "^(Package|Version): ")
    string(REGEX REPLACE ".*Package: ([^;]*).*" "\\1" name "${fields}")
    string(REGEX REPLACE ".*Version: ([^;-]*).*" "\\1" version "${fields}")
    file(WRITE "${tree}/DEBIAN/triggers" "activate-noawait ldconfig\n")
    string(REGEX REPLACE "^libclopt" "" soname_version "${name}")
    file(WRITE "${tree}/DEBIAN/shlibs" "libclopt ${soname_version} ${name} (>= ${version})\n")
    # It reads a control file of sources, which is missing here.
    file(MAKE_DIRECTORY "${tree}.source/debian")
    file(WRITE "${tree}.source/debian/control" "Source: clopt\n\nPackage: ${name}\nArchitecture: any\n")
    execute_process(COMMAND dpkg-gensymbols -q "-p${name}" "-v${version}" "-P${tree}" "-O${tree}/DEBIAN/symbols"
      WORKING_DIRECTORY "${tree}.source" COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE_RECURSE "${tree}.source")
    file(CHMOD "${tree}/DEBIAN/triggers" "${tree}/DEBIAN/shlibs" "${tree}/DEBIAN/symbols"
      PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
  file(STRINGS "${tree}/DEBIAN/md5sums" sums)
  list(SORT sums)
  list(JOIN sums "\n" sums)
  file(WRITE "${tree}/DEBIAN/md5sums" "${sums}\n")
  if(DEFINED ENV{SOURCE_DATE_EPOCH})
    execute_process(COMMAND find "${tree}" -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
  endif()
  execute_process(COMMAND dpkg-deb -Zxz --root-owner-group -b "${tree}" "${package}" COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_QUIET)
  file(REMOVE_RECURSE "${tree}")
endforeach()
