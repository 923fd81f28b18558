# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0

# Decides whether device code is compiled as CUDA, and for which GPUs. Sets MILLRACE_HAS_CUDA.
# Without CUDA every .cu file except core/cuda/cuda_*.cu is compiled as C++, for the emulated device.
set(MILLRACE_CUDA "AUTO" CACHE STRING
    "Compile for NVIDIA GPUs: ON requires the CUDA Toolkit, AUTO uses it if found, OFF does not")
set_property(CACHE MILLRACE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(MILLRACE_CUDA_ARCHITECTURES "" CACHE STRING
    "GPUs to compile for, such as 75 or 90, or fat: all that the toolkit serves from 7.5 on. Empty: \
that of this machine, 90 where there is none")

# For packages: machine code for each generation from 7.5 on that nvcc supports, and PTX of the
# newest one for later GPUs.
function(millrace_fat_architectures output)
  set(nvcc ${MILLRACE_NVCC})
  if(NOT nvcc)
    set(nvcc ${CMAKE_CUDA_COMPILER})
  endif()
  if(NOT nvcc)
    set(nvcc $ENV{CUDACXX})
  endif()
  if(NOT nvcc)
    message(FATAL_ERROR "MILLRACE_CUDA_ARCHITECTURES=fat asks nvcc which GPUs it knows, and no nvcc \
was found: put it into PATH, or give -DCMAKE_CUDA_COMPILER=/path/to/nvcc")
  endif()
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
  set(all)
  foreach(architecture 75 80 86 89 90 100 120)
    if(known MATCHES "compute_${architecture}[^0-9]")
      list(APPEND all ${architecture})
    endif()
  endforeach()
  if(NOT all)
    message(FATAL_ERROR "${nvcc} --list-gpu-arch names no GPU from compute capability 7.5 on")
  endif()
  list(POP_BACK all last)
  list(TRANSFORM all APPEND -real)
  set(${output} ${all} ${last} PARENT_SCOPE)
endfunction()

function(millrace_choose_architectures output)
  set(chosen ${MILLRACE_CUDA_ARCHITECTURES})
  if(chosen STREQUAL "fat")
    millrace_fat_architectures(chosen)
  elseif(NOT chosen)
    set(chosen 90)
    find_program(MILLRACE_NVIDIA_SMI nvidia-smi)
    if(MILLRACE_NVIDIA_SMI)
      execute_process(COMMAND ${MILLRACE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
        OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE status TIMEOUT 20)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" found "${found}")
      if(status EQUAL 0 AND found)
        list(REMOVE_DUPLICATES found)
        list(TRANSFORM found REPLACE "\\." "")
        set(chosen ${found})
      endif()
    endif()
  endif()
  set(${output} ${chosen} PARENT_SCOPE)
endfunction()

set(MILLRACE_HAS_CUDA OFF)
if(NOT MILLRACE_CUDA STREQUAL "OFF")
  # The toolkit may be installed without nvcc in PATH.
  find_program(MILLRACE_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda
               PATH_SUFFIXES bin)
  if(MILLRACE_NVCC AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    set(CMAKE_CUDA_COMPILER ${MILLRACE_NVCC})
  endif()
  millrace_choose_architectures(CMAKE_CUDA_ARCHITECTURES)
  if(NOT CMAKE_CUDA_HOST_COMPILER)
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit 12.4 QUIET)
  endif()
  if(CUDAToolkit_FOUND)
    set(MILLRACE_HAS_CUDA ON)
    if(MILLRACE_CCACHE)
      set(CMAKE_CUDA_COMPILER_LAUNCHER ${MILLRACE_CCACHE})
    endif()
    message(STATUS "CUDA ${CUDAToolkit_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
  elseif(MILLRACE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "MILLRACE_CUDA=ON, but no CUDA Toolkit 12.4 or later with a working nvcc \
was found: put nvcc into PATH, or give -DCMAKE_CUDA_COMPILER=/path/to/nvcc")
  else()
    message(STATUS "No CUDA Toolkit: pipelines will run on the CPU")
  endif()
endif()

# millrace_cuda_sources(TARGET): compiles the .cu sources of a target as CUDA or as C++.
function(millrace_cuda_sources target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  if(MILLRACE_HAS_CUDA)
    # CMake 3.25 ignores CUDA_STANDARD 20. No contraction, as on the host: results are the same bits.
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 -fmad=false --expt-relaxed-constexpr
        -Xcompiler=-Wall,-Wextra,-ffp-contract=off>
      $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${MILLRACE_WERROR}>>:--Werror=all-warnings
        -Xcompiler=-Werror>)
    string(REPLACE ";" "," architectures "${CMAKE_CUDA_ARCHITECTURES}")
    target_compile_definitions(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:MILLRACE_CUDA_ARCHITECTURES="${architectures}">)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD_REQUIRED OFF CUDA_EXTENSIONS OFF
      CUDA_RUNTIME_LIBRARY Static)
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
  else()
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES
      LANGUAGE CXX SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
