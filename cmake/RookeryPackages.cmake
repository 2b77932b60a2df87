# Packages from outside the project. scripts/setup.sh installs them all on Debian.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# Asked anew each time: what comes from the cache has its -isystem among other flags, so that the
# second run of cmake would have everything compiled again.
unset(__pkg_config_checked_ZMQ CACHE)
unset(__pkg_config_checked_CZMQ CACHE)
pkg_check_modules(ZMQ REQUIRED IMPORTED_TARGET libzmq>=4.3.4)
pkg_check_modules(CZMQ REQUIRED IMPORTED_TARGET libczmq>=4.2.1)
pkg_check_modules(MSGPACK REQUIRED IMPORTED_TARGET msgpack>=4)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus>=3)

# Debian's libfathom-dev carries no pkg-config file.
find_path(FATHOM_INCLUDE_DIR tbprobe.h REQUIRED)
find_library(FATHOM_LIBRARY fathom REQUIRED)
add_library(rookery_fathom INTERFACE)
target_include_directories(rookery_fathom SYSTEM INTERFACE "${FATHOM_INCLUDE_DIR}")
target_link_libraries(rookery_fathom INTERFACE "${FATHOM_LIBRARY}")

if(ROOKERY_TESTS)
    pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka>=1.1.5)
    if(NOT CMOCKA_FOUND)
        message(FATAL_ERROR "cmocka is missing: run scripts/setup.sh, "
                            "or configure with -DROOKERY_TESTS=OFF to build without the tests")
    endif()
endif()
