# Tests: every tests/test_*.c is one cmocka program and one CTest test. They see the internals, so
# they link the objects and not the libraries.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)

file(GLOB SUPPORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.c)
# Registers that the machine lacks, in functions that are all inlined: there is no ABI to depend on.
set_source_files_properties(${CMAKE_SOURCE_DIR}/tests/support/lanes16.c PROPERTIES
                            COMPILE_OPTIONS -Wno-psabi)
add_library(flock_test_support STATIC ${SUPPORT_SOURCES} ${ROWS_SOURCES}
            $<TARGET_OBJECTS:flock_verify_objects> $<TARGET_OBJECTS:flock_prove_objects>)
target_include_directories(flock_test_support PUBLIC ${CMAKE_SOURCE_DIR}/include
                           ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
target_compile_definitions(flock_test_support PUBLIC
                           FLOCK_VECTORS="${CMAKE_SOURCE_DIR}/tests/vectors")
target_link_libraries(flock_test_support PUBLIC PkgConfig::CMOCKA PkgConfig::JANSSON
                      PkgConfig::CRYPTO ${PROVE_LIBRARIES})

# The OpenMP runtime is not instrumented and keeps records of its threads.
set(SANITIZER_OPTIONS
    "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks.txt:print_suppressions=0"
    "TSAN_OPTIONS=ignore_noninstrumented_modules=1")
# ThreadSanitizer overlooks accesses of more than 16 bytes: all of a backend with long registers.
if(FLOCK_SANITIZE MATCHES "thread")
    list(APPEND SANITIZER_OPTIONS "FLOCK_BACKEND=portable")
endif()

file(GLOB TEST_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.c)
if(NOT (ARM64 AND CMAKE_SYSTEM_NAME STREQUAL "Linux"))
    list(FILTER TEST_SOURCES EXCLUDE REGEX "/test_arm64\\.c$")
endif()
foreach(source ${TEST_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE flock_test_support)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT "${SANITIZER_OPTIONS}")
endforeach()

# ctest -L backends: every kernel, the vectors of every stage, golden bytes. What is left out takes
# too long under an emulator and shows nothing more of a backend.
set(BACKEND_TESTS test_kernels test_fill test_hash test_field test_circuit test_transcript test_tree
    test_piop test_ligerito test_opening test_golden)
if(TARGET test_arm64)
    list(APPEND BACKEND_TESTS test_arm64)
endif()
add_custom_target(flock_backend_tests DEPENDS ${BACKEND_TESTS})
set_tests_properties(${BACKEND_TESTS} PROPERTIES LABELS backends)

# Its allocations fail on demand.
target_link_options(test_failures PRIVATE
                    -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=free)
if(TARGET test_arm64)
    target_link_options(test_arm64 PRIVATE -Wl,--wrap=getauxval)
endif()

# Its provers deviate.
target_link_options(test_deviation PRIVATE
                    -Wl,--wrap=transcript_scalar,--wrap=transcript_slice,--wrap=transcript_bytes,--wrap=oracle_commit)

target_link_options(test_distance PRIVATE -Wl,--wrap=oracle_commit)

# A user of the verifier's library alone: no other library, no internal header.
add_executable(consumer_verify tests/consumer_verify.c)
target_link_libraries(consumer_verify PRIVATE flock-verify)
add_test(NAME consumer_verify COMMAND consumer_verify
         ${CMAKE_SOURCE_DIR}/tests/vectors/native/chain_blake3_5_fast.flock)

# Tests of the command line: tests/cli/test_*.sh, each one CTest test.
add_executable(json_get tests/cli/json_get.c)
target_link_libraries(json_get PRIVATE PkgConfig::JANSSON)
add_executable(read_message tests/cli/read_message.c)
target_link_libraries(read_message PRIVATE program_shared)

# The C++ compiler that goes with the C compiler, for users of the headers.
set(CLI_CXX c++)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    set(CLI_CXX clang++)
endif()
string(REPLACE ";" " " SANITIZE_FLAGS_TEXT "${SANITIZE_FLAGS}")
file(GLOB CLI_TESTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cli/test_*.sh)
foreach(script ${CLI_TESTS})
    get_filename_component(name ${script} NAME_WE)
    string(REPLACE "test_" "cli_" name ${name})
    add_test(NAME ${name} COMMAND bash ${script})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT
        "${SANITIZER_OPTIONS};BUILD=${CMAKE_BINARY_DIR};SOURCE=${CMAKE_SOURCE_DIR};JSON_GET=$<TARGET_FILE:json_get>;SANITIZE=${FLOCK_SANITIZE};CC=${CMAKE_C_COMPILER};CXX=${CLI_CXX};CFLAGS=${SANITIZE_FLAGS_TEXT}")
endforeach()

# Tests that take minutes, tests/slow_*.c: built on request by the target flock_slow_tests and not
# registered with CTest.
file(GLOB SLOW_TEST_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/slow_*.c)
add_custom_target(flock_slow_tests)
foreach(source ${SLOW_TEST_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${name} PRIVATE flock_test_support)
    add_dependencies(flock_slow_tests ${name})
endforeach()

# For scripts/cross-verify.sh: the answers of this machine, to compare those of others with.
add_executable(cross_check EXCLUDE_FROM_ALL tests/cross_check.c)
target_link_libraries(cross_check PRIVATE flock_test_support)

# Constants against their definitions; the commands of the documents.
# What sanitizers find, other tests show them.
if(NOT FLOCK_SANITIZE)
    add_test(NAME constants
             COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/constants.py ${CMAKE_BINARY_DIR})
    add_test(NAME documents
             COMMAND python3 ${CMAKE_SOURCE_DIR}/scripts/doctest.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
    set_tests_properties(constants documents PROPERTIES TIMEOUT 900)
endif()
