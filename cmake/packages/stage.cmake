# Run by CPack between installation and packing: compresses manuals and changelogs, as Debian does.
file(GLOB_RECURSE texts "${CPACK_TEMPORARY_DIRECTORY}/*.1" "${CPACK_TEMPORARY_DIRECTORY}/changelog.Debian")
list(FILTER texts INCLUDE REGEX "/man/man1/|/changelog[.]Debian$")
if(texts)
  execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
endif()
