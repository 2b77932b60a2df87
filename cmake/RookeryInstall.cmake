# cmake --install: the three programs, their configuration, and units with which systemd runs a
# master and a worker.

include(GNUInstallDirs)

install(TARGETS rookery rookery-master rookery-worker)

# The rest is made when it is installed, for it names the prefix, which --prefix may change.
install(CODE "
    set(rookery_source \"${PROJECT_SOURCE_DIR}\")
    set(rookery_build \"${PROJECT_BINARY_DIR}\")
    set(rookery_bin \"${CMAKE_INSTALL_BINDIR}\")
    set(rookery_etc \"${CMAKE_INSTALL_SYSCONFDIR}/rookery\")
    include(\"${CMAKE_CURRENT_LIST_DIR}/RookeryInstallFiles.cmake\")")
