# Leaving one technique out of the search (common/root/techniques.h), for tests/bench/ablation.
#
#   cmake -DROOKERY_WITHOUT=NAME -P cmake/RookeryTechniques.cmake
#
# fails when there is no such technique.

cmake_minimum_required(VERSION 3.25)

# rookery_technique(NAME OUT): the constant of techniques.h that leaves NAME out.
function(rookery_technique name out)
    file(STRINGS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../common/root/techniques.h" names
        REGEX "^    WITHOUT_[A-Z_]+,$")
    list(TRANSFORM names REPLACE "^    WITHOUT_|,$" "")
    list(TRANSFORM names REPLACE "_" "-")
    list(TRANSFORM names TOLOWER)
    list(REMOVE_ITEM names nothing)
    if(NOT name IN_LIST names)
        list(JOIN names " " known)
        message(FATAL_ERROR "ROOKERY_WITHOUT: no technique '${name}'; there are ${known}")
    endif()
    string(TOUPPER "${name}" constant)
    string(REPLACE "-" "_" constant "WITHOUT_${constant}")
    set(${out} "${constant}" PARENT_SCOPE)
endfunction()

# rookery_leave_out(NAME target...): builds the targets without the technique NAME; with all when it
# is empty. Only the files that ask for techniques need it, so that little is built anew.
function(rookery_leave_out name)
    if(name)
        rookery_technique("${name}" constant)
        foreach(target IN LISTS ARGN)
            target_compile_definitions(${target} PRIVATE ROOKERY_WITHOUT=${constant})
        endforeach()
    endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
    rookery_technique("${ROOKERY_WITHOUT}" constant)
endif()
