# What RookeryInstall.cmake has cmake --install do: the configuration and the units. A configuration
# that is there already is left as its owner has made it.

get_filename_component(prefix "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
foreach(folder rookery_bin rookery_etc)
    cmake_path(ABSOLUTE_PATH ${folder} BASE_DIRECTORY "${prefix}" NORMALIZE)
endforeach()
# As units write them: systemd.unit(5), "Specifiers".
string(REPLACE "%" "%%" unit_bin "${rookery_bin}")
string(REPLACE "%" "%%" unit_etc "${rookery_etc}")

set(configuration "$ENV{DESTDIR}${rookery_etc}/cluster.toml")
if(EXISTS "${configuration}")
    message(STATUS "Kept: ${configuration}")
else()
    file(INSTALL "${rookery_source}/cluster.toml" DESTINATION "${rookery_etc}")
endif()

foreach(program rookery-master rookery-worker)
    set(unit "${rookery_build}/packaging/${program}.service")
    configure_file("${rookery_source}/packaging/${program}.service.in" "${unit}" @ONLY)
    file(INSTALL "${unit}" DESTINATION "${prefix}/lib/systemd/system")
endforeach()
