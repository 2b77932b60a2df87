# Language level, optimisation, warnings and sanitizers, the same for every target.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

set(CMAKE_C_FLAGS_RELEASE "-O3")
set(CMAKE_CXX_FLAGS_RELEASE "-O3")

# Any x86-64 machine since about 2009 runs the result; faster instructions (PEXT) are chosen at
# run time. Other architectures take the compiler's baseline.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    add_compile_options(-march=x86-64-v2)
endif()

add_compile_options(
    -Wall -Wextra -Wshadow -Wundef -Wvla -Werror
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)

# A program depends only on the shared libraries it calls.
add_link_options(-Wl,--as-needed)

add_compile_definitions(ROOKERY_VERSION="${PROJECT_VERSION}")
if(ROOKERY_CHECK_HOT)
    add_compile_definitions(ROOKERY_CHECK_HOT)
endif()

if(ROOKERY_SANITIZE)
    list(JOIN ROOKERY_SANITIZE "," sanitizers)
    add_compile_options(
        -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    add_link_options(-fsanitize=${sanitizers})
endif()

if(ROOKERY_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Move generation and search are separate libraries that inline into each other, so the release
# build optimises across them. Fat objects keep the archives usable without it: the many tests
# link in the ordinary way, in a fraction of the time (ROOKERY_PLAIN_LINK). Clang 14 has no fat
# objects and serves for checks only, so it builds without.
set(ROOKERY_PLAIN_LINK "")
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release"
   AND NOT ROOKERY_SANITIZE)
    add_compile_options(-flto=auto -ffat-lto-objects)
    add_link_options(-flto=auto -O3)
    set(ROOKERY_PLAIN_LINK -fno-lto)
    set(CMAKE_AR "${CMAKE_C_COMPILER_AR}")
    set(CMAKE_RANLIB "${CMAKE_C_COMPILER_RANLIB}")
endif()
