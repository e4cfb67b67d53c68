# Fuzzers: every fuzz/fuzz_*.c is one libFuzzer program. `make fuzz` builds and runs them.
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "FLOCK_FUZZ needs clang (preset fuzz)")
endif()

file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source ${FUZZ_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source} fuzz/seeds.c)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_compile_definitions(${name} PRIVATE FLOCK_VECTORS="${CMAKE_SOURCE_DIR}/tests/vectors")
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    if(name STREQUAL "fuzz_inputs")
        target_compile_definitions(${name} PRIVATE _GNU_SOURCE) # memfd_create()
        target_link_libraries(${name} PRIVATE program_shared)
    else()
        target_sources(${name} PRIVATE fuzz/target.c $<TARGET_OBJECTS:flock_verify_objects>
                       $<TARGET_OBJECTS:flock_prove_objects>)
        target_link_libraries(${name} PRIVATE ${PROVE_LIBRARIES})
    endif()
endforeach()
# It repairs proofs of work.
target_link_options(fuzz_mutate PRIVATE -Wl,--wrap=transcript_check_nonce)
