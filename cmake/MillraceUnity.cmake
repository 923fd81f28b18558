# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0

# millrace_unity(TARGET): with MILLRACE_UNITY, up to 40 sources of one room (core/<room>,
# app/<program>, ...) are compiled as one, because most of a source's compile time goes into headers
# that they share. A name in an unnamed namespace must therefore be unique within its room; each
# node kind has a separate namespace. Sources with special options (the pixel loops) are compiled
# alone. A build without MILLRACE_UNITY shows missing includes. Of tests, up to eight of one folder
# are joined.
function(millrace_unity target)
  if(NOT MILLRACE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^/.*\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/embedded_[a-z]+\\.cpp$")
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(most 8)
    if(NOT folder MATCHES "^tests/")
      set(most 40)
      string(REGEX REPLACE "^([^/]+/[^/]+)/.*" "\\1" folder ${folder})
    endif()
    string(MAKE_C_IDENTIFIER ${folder} room)
    if(NOT DEFINED count_${room})
      set(count_${room} 0)
    endif()
    math(EXPR group "${count_${room}} / ${most}")
    math(EXPR count_${room} "${count_${room}} + 1")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${room}_${group})
  endforeach()
  # About types in unnamed namespaces: g++ regards all but the first source of a unit as headers.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# millrace_join_device_sources(LIST): replaces the .cu sources in the list by one for each room, with
# MILLRACE_UNITY and nvcc, which spends most of its time on headers. CMake itself joins none before 3.31.
function(millrace_join_device_sources list)
  if(NOT MILLRACE_UNITY OR NOT MILLRACE_HAS_CUDA)
    return()
  endif()
  set(joined)
  foreach(source ${${list}})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REGEX REPLACE "^[^/]+/([^/]+)/.*" "\\1" room ${source})
    string(APPEND text_${room} "#include \"${source}\"\n")
    list(APPEND joined ${CMAKE_CURRENT_BINARY_DIR}/joined_${room}.cu)
  endforeach()
  list(REMOVE_DUPLICATES joined)
  foreach(file ${joined})
    string(REGEX REPLACE ".*/joined_(.*)\\.cu$" "\\1" room ${file})
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_${room}}" @ONLY)
  endforeach()
  set(${list} ${joined} PARENT_SCOPE)
endfunction()
