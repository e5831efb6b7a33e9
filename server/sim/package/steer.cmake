# libsteer: the simulation as a library for other programs, static and shared. Of all its symbols only those that
# steer.h declares can be seen from outside, in the static one too: there the objects are linked into one first and
# the rest is made local.

set(steer_base arena assert clock fault hash job_pool status trig utf8)
list(TRANSFORM steer_base PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/base/)
list(TRANSFORM steer_base APPEND .c)
file(GLOB_RECURSE steer_sim CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/sim/*.c)
list(FILTER steer_sim EXCLUDE REGEX "/sim/example/")

add_library(steer_objects OBJECT ${steer_base} ${steer_sim})
set_target_properties(steer_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(steer_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(steer_objects PRIVATE Threads::Threads PkgConfig::XXHASH m)

add_library(steer SHARED)
target_sources(steer PRIVATE $<TARGET_OBJECTS:steer_objects>)
target_link_libraries(steer PRIVATE Threads::Threads PkgConfig::XXHASH m)
set_target_properties(steer PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(NOT STEERD_SANITIZE)
  target_link_options(steer PRIVATE -Wl,-z,defs) # whatever is missing above is found here, not by the user
endif()

set(steer_archive ${CMAKE_CURRENT_BINARY_DIR}/libsteer.a)
add_custom_command(
  OUTPUT ${steer_archive}
  COMMAND ${CMAKE_LINKER} -r -o libsteer.o $<TARGET_OBJECTS:steer_objects>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden libsteer.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${steer_archive}
  COMMAND ${CMAKE_AR} rcs ${steer_archive} libsteer.o
  DEPENDS steer_objects $<TARGET_OBJECTS:steer_objects>
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(steer_static ALL DEPENDS ${steer_archive})

install(TARGETS steer LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${steer_archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES sim/steer.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY sim/example/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/libsteer)

include(CMakePackageConfigHelpers)
set(steer_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/steer)
configure_package_config_file(sim/package/steerConfig.cmake.in steerConfig.cmake
  INSTALL_DESTINATION ${steer_package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(steerConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH steer_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # so that the tree can be moved
configure_file(sim/package/steer.pc.in steer.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/steerConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/steerConfigVersion.cmake
  DESTINATION ${steer_package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/steer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
