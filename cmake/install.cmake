# Installation: libraries, headers, programs, pkg-config files. The pkg-config files find everything
# relative to themselves, so the installed tree can be moved.
include(GNUInstallDirs)

install(TARGETS flock flock-verify ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${PROGRAMS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/flock DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE-MIT LICENSE-APACHE DESTINATION ${CMAKE_INSTALL_DOCDIR})

function(flock_pkg_config name description libraries)
    file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    set(PC_NAME ${name})
    set(PC_DESCRIPTION ${description})
    set(PC_LIBRARIES ${libraries})
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
