# Headers that most files of a folder read are parsed once. Parsing is four fifths of the time it takes to compile one of
# our files. The preset `debug` does without: there a file that forgot an include
# does not compile.
option(RECKON_PRECOMPILE "Precompile headers" ON)

if(CCACHE AND RECKON_PRECOMPILE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/cached-compile ${CCACHE})
endif()

function(reckon_precompile target)
  get_target_property(type ${target} TYPE)
  if(RECKON_PRECOMPILE AND NOT type STREQUAL "INTERFACE_LIBRARY")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# The same headers as those of another target that is compiled with the same flags.
function(reckon_precompile_like target other)
  if(RECKON_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# For all targets, behind the options that switch warnings on. GCC 12 forgets that what it reads back came from the
# system's headers, and warns of its own strings there.
if(RECKON_PRECOMPILE)
  set(RECKON_PRECOMPILED_OPTIONS -fpch-preprocess -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
      -Wno-stringop-overread)
endif()

set(RECKON_STANDARD_HEADERS <algorithm> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <unordered_map> <utility> <vector>)
