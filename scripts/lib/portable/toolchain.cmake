# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# The toolchain of the preset `portable`: the compilers of `sysroot` and the libraries of `libraries`.
set(MILLRACE_PORTABLE ${CMAKE_CURRENT_LIST_DIR}/../../../build/portable/parts)
set(CMAKE_C_COMPILER ${MILLRACE_PORTABLE}/bin/gcc)
set(CMAKE_CXX_COMPILER ${MILLRACE_PORTABLE}/bin/g++)
set(CMAKE_CUDA_HOST_COMPILER ${MILLRACE_PORTABLE}/bin/g++)
# The places of the CUDA Toolkit are those of cmake/MillraceCuda.cmake.
set(CMAKE_FIND_ROOT_PATH ${MILLRACE_PORTABLE}/prefix $ENV{CUDA_PATH} $ENV{CUDA_HOME} /usr/local/cuda)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_PREFIX_PATH ${MILLRACE_PORTABLE}/prefix)
set(ENV{PKG_CONFIG_LIBDIR} ${MILLRACE_PORTABLE}/prefix/lib/pkgconfig)
# The libraries are static: those that they need themselves have to be named too.
set(PKG_CONFIG_ARGN --static)
