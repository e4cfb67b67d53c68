# Benchmarks: bench/flock_bench.c proves and verifies, bench/NAME.c (flock_bench_NAME) measures parts.
# They see the internals, so they link the objects and not the libraries.
file(GLOB BENCH_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.c)
foreach(source ${BENCH_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    if(NOT name MATCHES "^flock_bench")
        set(name flock_bench_${name})
    endif()
    add_executable(${name} ${source} $<TARGET_OBJECTS:flock_verify_objects>
                   $<TARGET_OBJECTS:flock_prove_objects>)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE ${PROVE_LIBRARIES})
endforeach()
