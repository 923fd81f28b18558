// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/formats/hdf5/hdf5_library.h"

namespace millrace::tests {

using Hdf5Sizes = std::vector<hsize_t>;

/// An HDF5 file written by libhdf5; complete when the object is destroyed. It does not take the
/// library's lock: while it exists, no other thread may use the library.
class Hdf5Written {
 public:
  using Setup = std::function<void(hid_t creation)>;

  explicit Hdf5Written(const std::filesystem::path& path, hsize_t userBlock = 0) {
    const Hdf5Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    if (userBlock > 0) H5Pset_userblock(creation.get(), userBlock);
    m_file = Hdf5Id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), H5P_DEFAULT), H5Fclose);
  }

  /// Adds a dataset of elements `type` from `data`, whose memory type is `memory`; creates groups
  /// in its name. Returns false if it cannot be written.
  bool add(const std::string& name, hid_t type, hid_t memory, const Hdf5Sizes& sizes,
           const void* data, const Setup& setup = {}) const {
    const Hdf5Id set = made(name, type, sizes, setup);
    return set.valid() && H5Dwrite(set.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  }
  bool add(const std::string& name, hid_t type, const Hdf5Sizes& sizes, const void* data,
           const Setup& setup = {}) const {
    return add(name, type, type, sizes, data, setup);
  }

  /// Adds a dataset without writing to it.
  bool addEmpty(const std::string& name, hid_t type, const Hdf5Sizes& sizes,
                const Setup& setup = {}) const {
    return made(name, type, sizes, setup).valid();
  }

  /// Adds runs of bytes of any length.
  bool addRuns(const std::string& name, const std::vector<std::string>& runs,
               const Setup& setup = {}) const {
    std::vector<hvl_t> list;
    for (const std::string& run : runs) list.push_back({run.size(), const_cast<char*>(run.data())});
    const Hdf5Id type(H5Tvlen_create(H5T_NATIVE_UINT8), H5Tclose);
    return add(name, type.get(), {runs.size()}, list.data(), setup);
  }

  /// Adds an attribute to an existing dataset: a list of texts of `length` bytes each.
  bool describe(const std::string& set, const char* attribute, std::size_t length,
                const std::string& texts) const {
    const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), length);
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    const hsize_t count = texts.size() / length;
    const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hdf5Id list(H5Acreate_by_name(m_file.get(), set.c_str(), attribute, type.get(),
                                        space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
    return list.valid() && H5Awrite(list.get(), type.get(), texts.data()) >= 0;
  }

 private:
  Hdf5Id made(const std::string& name, hid_t type, const Hdf5Sizes& sizes,
              const Setup& setup) const {
    const Hdf5Id space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                       H5Sclose);
    const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const Hdf5Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.get(), 1);
    if (setup) setup(creation.get());
    return {H5Dcreate2(m_file.get(), name.c_str(), type, space.get(), links.get(), creation.get(),
                       H5P_DEFAULT),
            H5Dclose};
  }

  Hdf5Id m_file;
};

}  // namespace millrace::tests
