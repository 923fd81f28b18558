# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0

# Optional parts: libraries that only some files or node kinds need. A build without one still opens
# and checks every document; what needs the part is refused with a sentence that names the package, and
# `millrace doctor` lists it (core/base/parts.h).
#
# millrace_part(NAME TITLE PACKAGE FOR MODULES|FIND SOURCES): declares a part, and with it the option
# MILLRACE_WITH_NAME: AUTO uses the library where it is found, ON requires it, OFF does without.
#   TITLE    what messages call the library
#   PACKAGE  Debian's package with its headers
#   FOR      what needs it, as the end of "is needed for ..."
#   MODULES  its names for pkg-config, the first that is found; or
#   FIND     a package of find_package, and its target
#   SOURCES  the sources of core that include its headers. They are compiled only with the part;
#            without it, core/*/no_NAME.cpp takes their place.
#   LOADED   the library is not linked: core/base/loaded_library.h opens it with the first file that needs
#            it. For libraries that bring many others, which every start would have to load.
function(millrace_part name)
  cmake_parse_arguments(PARSE_ARGV 1 part "LOADED" "TITLE;PACKAGE;FOR" "MODULES;FIND;SOURCES")
  string(TOUPPER ${name} upper)
  set(MILLRACE_WITH_${upper} AUTO CACHE STRING
      "${part_TITLE}, for ${part_FOR}: AUTO uses it where it is found, ON requires it, OFF does without")
  set_property(CACHE MILLRACE_WITH_${upper} PROPERTY STRINGS AUTO ON OFF)
  set(wanted ${MILLRACE_WITH_${upper}})
  set(target)
  set(version)
  if(wanted STREQUAL "AUTO" OR wanted)
    if(part_FIND)
      list(GET part_FIND 0 package)
      find_package(${package} QUIET)
      if(${package}_FOUND)
        list(GET part_FIND 1 target)
        string(TOUPPER ${package} shouted)
        set(version ${${shouted}_VERSION_STRING})
        if(NOT version)
          set(version ${${shouted}_VERSION})
        endif()
      endif()
    else()
      pkg_search_module(${upper} QUIET IMPORTED_TARGET GLOBAL ${part_MODULES})
      if(${upper}_FOUND)
        set(target PkgConfig::${upper})
        set(version ${${upper}_VERSION})
      endif()
    endif()
    if(NOT target AND NOT wanted STREQUAL "AUTO")
      message(FATAL_ERROR "MILLRACE_WITH_${upper}=${wanted}, but ${part_TITLE} was not found: install "
                          "${part_PACKAGE}, or give -DMILLRACE_WITH_${upper}=AUTO")
    endif()
  endif()
  set(file)
  if(target AND part_LOADED)
    millrace_library_file(${upper} file)
    add_library(millrace_headers_of_${name} INTERFACE)
    target_include_directories(millrace_headers_of_${name} SYSTEM INTERFACE ${${upper}_INCLUDE_DIRS})
    set(target millrace_headers_of_${name})
    # Debian names a library's package after its file: libavif15, libjxl0.7.
    string(REGEX REPLACE "^(.*)\\.so\\.(.*)$" "\\1\\2" package "${file}")
    set(millrace_loaded_packages ${millrace_loaded_packages} ${package} PARENT_SCOPE)
  endif()
  if(target)
    set(built true)
    set(left_out "/no_${name}\\.cpp$")
  else()
    set(built false)
    string(REPLACE "." "\\." left_out "/core/(${part_SOURCES})$")
    string(REPLACE ";" "|" left_out "${left_out}")
    message(STATUS "Without ${part_TITLE}, which is needed for ${part_FOR}: ${part_PACKAGE}")
  endif()
  set(MILLRACE_HAS_${upper} ${built} PARENT_SCOPE)
  set(millrace_part_targets ${millrace_part_targets} ${target} PARENT_SCOPE)
  set(millrace_parts_left_out ${millrace_parts_left_out} ${left_out} PARENT_SCOPE)
  set(millrace_part_entries "${millrace_part_entries}\
    {\"${name}\", \"${part_TITLE}\", \"${part_PACKAGE}\", \"${part_FOR}\", \"${version}\", ${built}},\n"
      PARENT_SCOPE)
  set(millrace_part_files "${millrace_part_files}  if (part == \"${name}\") return \"${file}\";\n"
      PARENT_SCOPE)
endfunction()

# The name under which programs open the first library of a module, such as libavif.so.15.
function(millrace_library_file module result)
  list(GET ${module}_LINK_LIBRARIES 0 library)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE head ERROR_QUIET)
  string(REGEX MATCH "SONAME +([^\n]+)" found "${head}")
  if(NOT found)
    message(FATAL_ERROR "${library} has no SONAME, so it cannot be opened at run time")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

find_package(PkgConfig REQUIRED)
millrace_part(tiff TITLE libtiff PACKAGE libtiff-dev FOR "TIFF pictures" MODULES libtiff-4
  SOURCES codecs/parts/tiff_decoder.cpp codecs/parts/tiff_file.cpp codecs/parts/tiff_form.cpp)
millrace_part(webp TITLE libwebp PACKAGE libwebp-dev FOR "WebP pictures" MODULES libwebp
  SOURCES codecs/parts/webp_decoder.cpp)
millrace_part(gif TITLE giflib PACKAGE libgif-dev FOR "GIF pictures" FIND GIF GIF::GIF
  SOURCES codecs/parts/gif_decoder.cpp)
millrace_part(openjpeg TITLE OpenJPEG PACKAGE libopenjp2-7-dev FOR "JPEG 2000 pictures"
  MODULES libopenjp2 SOURCES codecs/parts/jpeg2000_decoder.cpp codecs/parts/jpeg2000_head.cpp)
millrace_part(avif LOADED TITLE libavif PACKAGE libavif-dev FOR "AVIF pictures" MODULES libavif
  SOURCES codecs/parts/avif_decoder.cpp)
millrace_part(heif LOADED TITLE libheif PACKAGE libheif-dev FOR "HEIC pictures" MODULES libheif
  SOURCES codecs/parts/heic_decoder.cpp)
millrace_part(jxl LOADED TITLE libjxl PACKAGE libjxl-dev FOR "JPEG XL pictures" MODULES libjxl
  SOURCES codecs/parts/jxl_decoder.cpp)
millrace_part(lcms2 TITLE "Little CMS" PACKAGE liblcms2-dev FOR "the colour profiles of CMYK pictures"
  MODULES lcms2 SOURCES codecs/parts/cmyk_colours.cpp)
# Debian has a separate name for the serial build.
millrace_part(hdf5 TITLE libhdf5 PACKAGE libhdf5-dev FOR "reading and writing HDF5 files"
  MODULES hdf5-serial hdf5
  SOURCES formats/hdf5/hdf5_assembly.cpp formats/hdf5/hdf5_element.cpp formats/hdf5/hdf5_file.cpp
          formats/hdf5/hdf5_layout.cpp formats/hdf5/hdf5_library.cpp)
millrace_part(lmdb TITLE liblmdb PACKAGE liblmdb-dev FOR "writing LMDB databases" MODULES lmdb
  SOURCES formats/lmdb/lmdb_writer.cpp)
millrace_part(lz4 TITLE LZ4 PACKAGE liblz4-dev FOR "LZ4 in LMDB databases and Parquet files"
  MODULES liblz4 SOURCES formats/lmdb/lz4_library.cpp)
millrace_part(zstd TITLE Zstandard PACKAGE libzstd-dev FOR "MDS shards and Parquet files compressed with zstd"
  MODULES libzstd SOURCES formats/io/zstd_stream.cpp)
millrace_part(brotli TITLE Brotli PACKAGE libbrotli-dev FOR "MDS shards and Parquet files compressed with Brotli"
  MODULES libbrotlidec SOURCES formats/io/brotli_stream.cpp)
millrace_part(bzip2 TITLE bzip2 PACKAGE libbz2-dev FOR "MDS shards compressed with bz2"
  FIND BZip2 BZip2::BZip2 SOURCES formats/io/bzip2_stream.cpp)
millrace_part(snappy TITLE Snappy PACKAGE libsnappy-dev FOR "MDS shards and Parquet files compressed with Snappy"
  MODULES snappy SOURCES formats/io/snappy_block.cpp)
millrace_part(muparser TITLE muParser PACKAGE libmuparser-dev FOR "the node `expression`"
  MODULES muparser SOURCES node_parts/formula.cpp)

# libhdf5 brings both libraries where Debian's is used.
millrace_part(curl TITLE libcurl PACKAGE libcurl4-openssl-dev FOR "data at a server (s3://, https://)"
  MODULES libcurl SOURCES storage/http_loop.cpp)
millrace_part(openssl TITLE libcrypto PACKAGE libssl-dev FOR "signed requests to s3://" MODULES libcrypto
  SOURCES storage/sha256.cpp)

# millrace_choose_parts(SOURCES): removes from a list of core's sources what belongs to missing parts,
# and what stands in for parts that are there.
function(millrace_choose_parts list)
  foreach(left_out ${millrace_parts_left_out})
    list(FILTER ${list} EXCLUDE REGEX "${left_out}")
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# Writes OUTPUT, a source that lists the parts.
function(millrace_embed_parts output)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Generated by cmake/MillraceParts.cmake.
#include \"core/base/loaded_library.h\"
#include \"core/base/parts.h\"

namespace millrace {

std::span<const OptionalPart> allParts() {
  static constexpr OptionalPart kParts[] = {
@millrace_part_entries@  };
  return kParts;
}

std::string_view loadedFileOf(std::string_view part) {
@millrace_part_files@  return {};
}

}  // namespace millrace
")
endfunction()
