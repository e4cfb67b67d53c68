# The two libraries, each static and shared. Only the public flock_* functions are visible in them
# (FLOCK_API in the headers): a static one is joined into one object in which everything hidden is
# made local, so internal names cannot clash with a user's.
option(FLOCK_SHARED "Build the shared libraries as well as the static ones" ON)
# With the usual CMake variable BUILD_SHARED_LIBS=ON, programs and examples use the shared one.
option(BUILD_SHARED_LIBS "Link the programs with the shared library" OFF)

# The number of the binary interface; it changes with every incompatible change of a public header.
set(FLOCK_SOVERSION 0)

function(flock_static_library name)
    set(joined ${CMAKE_BINARY_DIR}/${name}.o)
    set(objects)
    foreach(target ${ARGN})
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
    add_custom_command(
        OUTPUT ${joined}
        COMMAND ${CMAKE_LINKER} -r -o ${joined} ${objects}
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${joined}
        DEPENDS ${objects} ${ARGN}
        COMMAND_EXPAND_LISTS VERBATIM
        COMMENT "Joining ${name}")
    set_source_files_properties(${joined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    add_library(${name} STATIC ${joined})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
    flock_public_headers(${name})
endfunction()

function(flock_shared_library name)
    set(objects)
    foreach(target ${ARGN})
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
    add_library(${name}-shared SHARED ${objects})
    set_target_properties(${name}-shared PROPERTIES
        OUTPUT_NAME ${name} LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${FLOCK_SOVERSION})
    if(NOT FLOCK_SANITIZE) # the runtime of a sanitizer is in the program
        target_link_options(${name}-shared PRIVATE -Wl,--no-undefined)
    endif()
    flock_public_headers(${name}-shared)
endfunction()

function(flock_public_headers target)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

flock_static_library(flock-verify flock_verify_objects)
flock_static_library(flock flock_verify_objects flock_prove_objects)
foreach(library ${PROVE_LIBRARIES})
    target_link_libraries(flock PUBLIC $<BUILD_INTERFACE:${library}>)
endforeach()
# Users of the installed library: by name, wherever they are there.
target_link_libraries(flock INTERFACE $<INSTALL_INTERFACE:m>)
if(FLOCK_OPENMP)
    target_link_options(flock INTERFACE $<INSTALL_INTERFACE:${OpenMP_C_FLAGS}>)
endif()

set(LIBRARIES flock-verify flock)
set(PROGRAM_LIBRARY flock)
if(FLOCK_SHARED)
    flock_shared_library(flock-verify flock_verify_objects)
    flock_shared_library(flock flock_verify_objects flock_prove_objects)
    target_link_libraries(flock-shared PRIVATE ${PROVE_LIBRARIES})
    list(APPEND LIBRARIES flock-verify-shared flock-shared)
    if(BUILD_SHARED_LIBS)
        set(PROGRAM_LIBRARY flock-shared)
    endif()
endif()
# The names of the exported targets: flock::flock_static and so on (cmake/package.cmake.in).
set_target_properties(flock-verify PROPERTIES EXPORT_NAME verify_static)
set_target_properties(flock PROPERTIES EXPORT_NAME flock_static)
if(FLOCK_SHARED)
    set_target_properties(flock-verify-shared PROPERTIES EXPORT_NAME verify_shared)
    set_target_properties(flock-shared PROPERTIES EXPORT_NAME flock_shared)
endif()
