# Installation: libraries, headers, programs, manual pages, shell completions, files for pkg-config
# and CMake. Both kinds of files find everything relative to themselves, so the installed tree can be
# moved.
include(CMakePackageConfigHelpers)

install(TARGETS ${LIBRARIES} EXPORT flock-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ${PROGRAMS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/flock DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE-MIT LICENSE-APACHE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---- CMake: find_package(flock)
set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/flock)
configure_package_config_file(cmake/package.cmake.in flock-config.cmake
                              INSTALL_DESTINATION ${PACKAGE_DIR})
write_basic_package_version_file(flock-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/flock-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/flock-config-version.cmake
        DESTINATION ${PACKAGE_DIR})
install(EXPORT flock-targets NAMESPACE flock:: DESTINATION ${PACKAGE_DIR})

# ---- pkg-config: what a library needs is for its users to link if there is only a static one.
function(flock_pkg_config name description libraries)
    file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    set(PC_NAME ${name})
    set(PC_DESCRIPTION ${description})
    if(FLOCK_SHARED)
        set(PC_PRIVATE_LIBRARIES ${libraries})
    else()
        set(PC_PUBLIC_LIBRARIES ${libraries})
    endif()
    configure_file(cmake/library.pc.in ${name}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(PROVER_LIBRARIES "-lm")
if(FLOCK_OPENMP)
    string(APPEND PROVER_LIBRARIES " ${OpenMP_C_FLAGS}")
endif()
flock_pkg_config(flock "Prove and verify batch Boolean computations" "${PROVER_LIBRARIES}")
flock_pkg_config(flock-verify "Verify Flock proofs" "")

# ---- manual pages, shell completions
file(GLOB MANUAL_PAGES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.1)
install(FILES ${MANUAL_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES man/libflock.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
foreach(program ${PROGRAMS})
    install(FILES completions/${program}.bash RENAME ${program}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES completions/_${program}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endforeach()
