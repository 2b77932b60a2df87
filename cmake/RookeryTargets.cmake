# The kinds of target that CMakeLists.txt declares: layers, programs, tests, fuzz targets.

# All layers declared so far, lowest first.
set(ROOKERY_LAYERS "")

# rookery_layer(NAME FOLDER [PACKAGES target...]): the library rookery_NAME, made of FOLDER's
# sources (main.c apart), which may use every layer declared before it and the named packages. A
# folder without sources is an error.
function(rookery_layer name folder)
    cmake_parse_arguments(layer "" "" "PACKAGES" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.c" "${folder}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/main\\.c$")
    add_library(rookery_${name} STATIC ${sources})
    target_include_directories(rookery_${name} PUBLIC
        "${PROJECT_SOURCE_DIR}/common" "${PROJECT_SOURCE_DIR}")
    set(above ${ROOKERY_LAYERS})
    list(REVERSE above)
    target_link_libraries(rookery_${name} PUBLIC ${above} ${layer_PACKAGES} m)
    # Tools stand beside each other, not above each other.
    if(NOT name MATCHES "^tool_")
        set(ROOKERY_LAYERS ${ROOKERY_LAYERS} rookery_${name} PARENT_SCOPE)
    endif()
endfunction()

# rookery_program(NAME FOLDER): the program NAME from FOLDER/main.c over FOLDER's library.
function(rookery_program name folder)
    add_executable(${name} "${folder}/main.c")
    set(libraries ${ROOKERY_LAYERS})
    list(REVERSE libraries)
    cmake_path(GET folder FILENAME leaf)
    if(TARGET rookery_tool_${leaf})
        list(PREPEND libraries rookery_tool_${leaf})
    endif()
    target_link_libraries(${name} PRIVATE ${libraries})
endfunction()

# rookery_test_library(NAME FOLDER OUT): code that tests share; put in front of the list OUT.
function(rookery_test_library name folder out)
    file(GLOB sources CONFIGURE_DEPENDS "tests/${folder}/*.c")
    list(FILTER sources EXCLUDE REGEX "/test_[^/]*$")
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${name} PUBLIC ${${out}} PkgConfig::CMOCKA)
    set(${out} ${name} ${${out}} PARENT_SCOPE)
endfunction()

# Every tests/**/test_*.c becomes a program and a ctest of its own: tests/chess/test_fen.c is
# chess_fen, labelled chess, and links all layers.
function(rookery_tests)
    set(libraries ${ROOKERY_LAYERS})
    list(REVERSE libraries)
    rookery_test_library(rookery_test_support support libraries)
    rookery_test_library(rookery_oracle oracle libraries)

    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "tests/test_*.c")
    foreach(source IN LISTS sources)
        string(REGEX REPLACE "^tests/(.*)test_([^/]*)\\.c$" "\\1\\2" path "${source}")
        string(REPLACE "/" "_" name "${path}")
        add_executable(test_${name} ${source})
        target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
        # Tests of a tool link it too: tests/sim/ is of tools/sim/.
        string(REGEX REPLACE "/.*" "" label "${path}")
        set(tool "")
        if(TARGET rookery_tool_${label})
            set(tool rookery_tool_${label})
        endif()
        target_link_libraries(test_${name} PRIVATE ${tool} ${libraries} PkgConfig::CMOCKA)
        target_link_options(test_${name} PRIVATE ${ROOKERY_PLAIN_LINK})
        # The environment variable ROOKERY_TEST_DATA, read by the tests, comes before this default.
        target_compile_definitions(test_${name} PRIVATE
            ROOKERY_TEST_DATA="${PROJECT_SOURCE_DIR}/../shared/data"
            ROOKERY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
            ROOKERY_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
        set_target_properties(test_${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
        add_test(NAME ${name} COMMAND test_${name})
        set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 600)
        if(ROOKERY_SANITIZE MATCHES "thread")
            set_tests_properties(${name} PROPERTIES ENVIRONMENT
                "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan-suppressions.txt")
        endif()
    endforeach()
    set_tests_properties(processes_starved PROPERTIES RUN_SERIAL ON)

    add_test(NAME layers COMMAND "${PROJECT_SOURCE_DIR}/tests/layers.sh" "${CMAKE_C_COMPILER}")
    add_test(NAME install COMMAND "${PROJECT_SOURCE_DIR}/tests/install.sh"
        "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}")
    add_test(NAME configure COMMAND "${PROJECT_SOURCE_DIR}/tests/configure.sh" "${CMAKE_COMMAND}")
    add_test(NAME techniques COMMAND "${PROJECT_SOURCE_DIR}/tests/techniques.sh" "${CMAKE_COMMAND}")
endfunction()

# Every tests/fuzz/fuzz_*.c becomes a libFuzzer program (the layers carry coverage counters too).
function(rookery_fuzz_targets)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "ROOKERY_FUZZ needs clang (-DCMAKE_C_COMPILER=clang "
                            "-DCMAKE_CXX_COMPILER=clang++)")
    endif()
    set(libraries ${ROOKERY_LAYERS})
    list(REVERSE libraries)
    file(GLOB sources CONFIGURE_DEPENDS "tests/fuzz/fuzz_*.c")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(${name} ${source})
        if(NOT name STREQUAL "fuzz_codec") # which is not of text
            target_sources(${name} PRIVATE tests/fuzz/text.c)
        endif()
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(${name} PRIVATE ${libraries})
    endforeach()
endfunction()
