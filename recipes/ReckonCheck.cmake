# reckon_check(TARGET [FORMAT FORMAT] [OUTPUT PATH] [OPTIONS ...])
#
# Adds a target TARGET-reckon that checks the C and C++ sources of TARGET, and one called reckon for all of these. A
# finding makes them fail (exit code 1), and so does a run that could analyse nothing (3). Needs a generator that writes
# compile_commands.json (Makefiles, Ninja):
#
#   include(ReckonCheck)
#   add_library(spam MODULE spammodule.c)
#   reckon_check(spam FORMAT sarif OUTPUT ${CMAKE_BINARY_DIR}/spam.sarif OPTIONS --fail-on=medium)
#
#   cmake --build build --target reckon
include_guard(GLOBAL)
find_program(RECKON_PROGRAM reckon)

function(reckon_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FORMAT;OUTPUT" "OPTIONS")
  if(NOT RECKON_PROGRAM)
    message(WARNING "reckon was not found; ${target} is not checked")
    return()
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(files)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.(c|cc|cpp|cxx|C)$")
      get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
      list(APPEND files ${path})
    endif()
  endforeach()
  if(NOT files)
    message(WARNING "${target} has no C or C++ sources; reckon_check does nothing for it")
    return()
  endif()
  set(report)
  if(arg_FORMAT)
    list(APPEND report --format=${arg_FORMAT})
  endif()
  if(arg_OUTPUT)
    list(APPEND report --output ${arg_OUTPUT})
  endif()
  add_custom_target(${target}-reckon
    COMMAND ${RECKON_PROGRAM} check -p ${CMAKE_BINARY_DIR} ${report} ${arg_OPTIONS} ${files}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM USES_TERMINAL
    COMMENT "Checking ${target}")
  add_dependencies(${target}-reckon ${target})  # headers that the build makes must be there
  if(NOT TARGET reckon)
    add_custom_target(reckon)
  endif()
  add_dependencies(reckon ${target}-reckon)
endfunction()
