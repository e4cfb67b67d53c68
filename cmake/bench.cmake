# flock_bench: bench/*.c with the command line's shared sources. It sees the internals, so it links
# the objects and not the libraries.
file(GLOB BENCH_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.c)
foreach(name flags interrupt json machine program)
    list(APPEND BENCH_SOURCES ${CMAKE_SOURCE_DIR}/programs/${name}.c)
endforeach()

add_executable(flock_bench ${BENCH_SOURCES} $<TARGET_OBJECTS:flock_verify_objects>
               $<TARGET_OBJECTS:flock_prove_objects>)
target_compile_definitions(flock_bench PRIVATE _XOPEN_SOURCE=700)
target_include_directories(flock_bench PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src
                           ${CMAKE_SOURCE_DIR}/programs)
target_link_libraries(flock_bench PRIVATE ${PROVE_LIBRARIES})
