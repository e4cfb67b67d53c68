# Examples: every examples/*.c is a user's program, which links the library and knows its headers
# only. Each is also a test.
file(GLOB EXAMPLE_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*.c)
foreach(source ${EXAMPLE_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE ${PROGRAM_LIBRARY})
    add_test(NAME example_${name} COMMAND example_${name})
    set_tests_properties(example_${name} PROPERTIES TIMEOUT 900 ENVIRONMENT "${SANITIZER_OPTIONS}")
endforeach()
