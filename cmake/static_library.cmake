# clopt_fill_static_library(TARGET HELPERS) makes a static library of the objects that the shared one and its modules are
# made of: the library, its backends, and a list of these in place of modules to load. HELPERS is the folder where it
# looks for its programs, after those beside the program that it is linked into.
function(clopt_fill_static_library target helpers)
  set(list "")
  get_property(backends GLOBAL PROPERTY clopt_backends)
  foreach(name IN LISTS backends)
    string(APPEND list "CLOPT_LINKED(${name})\n")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:clopt-backend-${name}-code>)
    get_property(libraries GLOBAL PROPERTY clopt_backend_libraries_${name})
    target_link_libraries(${target} PRIVATE ${libraries})
  endforeach()
  file(CONFIGURE OUTPUT ${CLOPT_GENERATED}/generated/linked_backends.inc @ONLY CONTENT "@list@")

  target_sources(${target} PRIVATE ${CLOPT_OBJECTS} ${PROJECT_SOURCE_DIR}/lib/linked/backends.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/lib/include
    ${CLOPT_GENERATED})
  target_compile_definitions(${target} PRIVATE CLOPT_HELPERS="${helpers}")
  # What was needed to compile the objects is not needed to link them.
  get_target_property(libraries clopt_code LINK_LIBRARIES)
  list(REMOVE_ITEM libraries clopt_settings nlohmann_json::nlohmann_json)
  target_link_libraries(${target} PRIVATE ${libraries} $<BUILD_INTERFACE:clopt_settings>)
endfunction()
