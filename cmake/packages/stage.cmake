# Run by CPack between installation and packing: compresses manuals and changelogs, as Debian does.
file(GLOB_RECURSE texts "${CPACK_TEMPORARY_DIRECTORY}/*/man/man*/*" "${CPACK_TEMPORARY_DIRECTORY}/*/changelog.Debian")
list(FILTER texts EXCLUDE REGEX "[.]gz$")
if(texts)
  execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
endif()
