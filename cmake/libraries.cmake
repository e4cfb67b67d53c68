# The two static libraries. Only the public flock_* functions are visible in them: the objects are
# joined into one and everything hidden is made local, so internal names cannot clash with a user's.
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
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/include)
endfunction()

flock_static_library(flock-verify flock_verify_objects)
flock_static_library(flock flock_verify_objects flock_prove_objects)
target_link_libraries(flock PUBLIC ${PROVE_LIBRARIES})
