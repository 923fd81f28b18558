# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
option(MILLRACE_TESTS "Build the tests (needs Qt 6 Test)" ON)
option(MILLRACE_WORKBENCH "Build the workbench (needs Qt 6 Widgets, Svg, Charts and DBus)" ON)
option(MILLRACE_LIBRARY "Build libmillrace.so, the C interface" ON)
option(MILLRACE_HOUSE_CHECKS "Also test the house rules: layers, heads, standalone headers" ON)
option(MILLRACE_BENCHMARKS "Build tests/bench (needs Google Benchmark)" OFF)
option(MILLRACE_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(MILLRACE_COUNTERS "Count and time each node's work; off only to measure what that costs" ON)
option(MILLRACE_WERROR "Treat warnings as errors in our own targets" ON)
option(MILLRACE_PCH "Precompile the headers that most sources include: a first build is faster, but \
ccache keeps little of it" OFF)
option(MILLRACE_COVERAGE "Count which lines of core are run, for scripts/coverage (needs clang)" OFF)
set(MILLRACE_SANITIZE "" CACHE STRING "Sanitizers for every target, as for -fsanitize=")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# moc reads a target's own headers and needs none of the libraries that the target links.
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(is_release ON)
else()
  set(is_release OFF)
endif()
option(MILLRACE_UNITY "Compile up to eight sources of a folder as one: a first build is faster"
       ${is_release})

find_program(MILLRACE_CCACHE ccache)
if(MILLRACE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MILLRACE_CCACHE})
endif()

# Paths in programs begin at the root of the project, so that equal sources give equal programs in
# every folder (scripts/check-reproducible). With CCACHE_BASEDIR, ccache hands the compiler paths that
# are relative to the build folder. The last one that fits counts.
cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR}
           OUTPUT_VARIABLE from_build)
set(millrace_paths -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
    -ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/ -ffile-prefix-map=${from_build}/=)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${millrace_paths}>")

# Settings of our own targets: warnings, and no fused multiply-add, because that would make results
# depend on the code path (docs/reference/order-and-randomness.md).
add_library(millrace_settings INTERFACE)
target_compile_options(millrace_settings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -ffp-contract=off>)
# Additional settings of released code.
add_library(millrace_strict INTERFACE)
target_link_libraries(millrace_strict INTERFACE millrace_settings)
target_compile_options(millrace_strict INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wshadow -Wconversion -Wnon-virtual-dtor>)
if(MILLRACE_WERROR)
  target_compile_options(millrace_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(millrace_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wthread-safety>
    # libstdc++ 12 calls its own deprecated get_temporary_buffer in std::stable_sort.
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
else()
  # False alarms from g++ 12's string code at -O2 and above.
  target_compile_options(millrace_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(MILLRACE_COUNTERS)
  target_compile_definitions(millrace_settings INTERFACE MILLRACE_COUNTERS=1)
else()
  target_compile_definitions(millrace_settings INTERFACE MILLRACE_COUNTERS=0)
endif()
if(MILLRACE_SANITIZE)
  if(NOT MILLRACE_CUDA STREQUAL "OFF")
    message(FATAL_ERROR "MILLRACE_SANITIZE needs -DMILLRACE_CUDA=OFF: nvcc has no sanitizers")
  endif()
  add_compile_options(-fsanitize=${MILLRACE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${MILLRACE_SANITIZE})
endif()

# Every program counts, because an inline function of core's headers may be linked from any of them;
# only core's objects also hold what a counter stands for.
# Modules are left out: the tests' stand-ins for libraries, which are closed again, and what a counter
# has allocated would then be a leak. A file is named because the compiler's choice would depend on the
# folder; LLVM_PROFILE_FILE names another.
if(MILLRACE_COVERAGE)
  set(counted "$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>>")
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,${counted}>:-fprofile-instr-generate=/dev/null>)
  add_link_options($<${counted}:-fprofile-instr-generate>)
endif()

# millrace_lightly_optimised(TARGET): for code whose speed does not matter; it compiles faster.
function(millrace_lightly_optimised target)
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-Og>)
endfunction()

# A clang PCH then does not depend on when its headers were written.
if(MILLRACE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  if(MILLRACE_CCACHE)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/ccache.sh.in ${PROJECT_BINARY_DIR}/ccache.sh @ONLY
                   FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_BINARY_DIR}/ccache.sh)
  endif()
endif()

# GCC spends a tenth of a first build on freeing memory; with 150 MB more for each process it frees
# none in most sources.
if(MILLRACE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=400000>")
endif()

# millrace_precompile(TARGET HEADER...): has an effect if MILLRACE_PCH is on. Sources still include
# everything that they need; a build without it shows missing includes.
function(millrace_precompile target)
  if(MILLRACE_PCH)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <map>
      <memory> <mutex> <optional> <span> <string> <string_view> <thread> <utility> <variant>
      <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
