# Command-line programs: programs/flock_NAME.c each; the other sources of programs/ are shared.
file(GLOB PROGRAM_MAINS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/programs/flock_*.c)
file(GLOB PROGRAM_SHARED CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/programs/*.c)
list(FILTER PROGRAM_SHARED EXCLUDE REGEX "/flock_[a-z]+\\.c$")

add_library(program_shared STATIC ${PROGRAM_SHARED})
target_compile_definitions(program_shared PUBLIC _XOPEN_SOURCE=700)
target_include_directories(program_shared PUBLIC ${CMAKE_SOURCE_DIR}/programs)
target_link_libraries(program_shared PUBLIC ${PROGRAM_LIBRARY})

set(PROGRAMS)
foreach(main ${PROGRAM_MAINS})
    get_filename_component(name ${main} NAME_WE)
    add_executable(${name} ${main})
    target_link_libraries(${name} PRIVATE program_shared)
    list(APPEND PROGRAMS ${name})
endforeach()
