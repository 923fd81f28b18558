# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0

# millrace_unity(TARGET): where MILLRACE_UNITY asks for it, up to eight sources of one folder are
# compiled as one, because most of a source's time goes into the headers that they share. So a name
# in an unnamed namespace must be its file's own within its folder. Apart stay sources with options
# of their own (the pixel loops) and the node kinds, which name their parts alike. A build without it
# shows what a source forgot to include.
function(millrace_unity target)
  if(NOT MILLRACE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^/.*\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/embedded_[a-z]+\\.cpp$")
  foreach(source ${sources})
    file(STRINGS ${source} kind REGEX "^NodeSpec [a-z0-9_]+\\(\\) {" LIMIT_COUNT 1)
    if(kind)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} room)
    if(NOT DEFINED count_${room})
      set(count_${room} 0)
    endif()
    math(EXPR group "${count_${room}} / 8")
    math(EXPR count_${room} "${count_${room}} + 1")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${room}_${group})
  endforeach()
  # Of types in an unnamed namespace: g++ takes all but the first source of a unit for headers.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
