# Tests: every tests/test_*.c is one cmocka program and one CTest test. They see the internals, so
# they link the objects and not the libraries.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)

file(GLOB SUPPORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.c)
add_library(flock_test_support STATIC ${SUPPORT_SOURCES} ${ROWS_SOURCES}
            $<TARGET_OBJECTS:flock_verify_objects> $<TARGET_OBJECTS:flock_prove_objects>)
target_include_directories(flock_test_support PUBLIC ${CMAKE_SOURCE_DIR}/include
                           ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
target_compile_definitions(flock_test_support PUBLIC
                           FLOCK_VECTORS="${CMAKE_SOURCE_DIR}/tests/vectors")
target_link_libraries(flock_test_support PUBLIC PkgConfig::CMOCKA PkgConfig::JANSSON
                      PkgConfig::CRYPTO ${PROVE_LIBRARIES})

file(GLOB TEST_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.c)
foreach(source ${TEST_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE flock_test_support)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900)
endforeach()
