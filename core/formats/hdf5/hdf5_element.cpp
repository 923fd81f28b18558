// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_element.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace millrace {

namespace {

Hdf5Element unreadable(std::string_view what) {
  Hdf5Element element;
  element.whyNot = what;
  return element;
}

Hdf5Element integerElement(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  if (H5Tget_precision(type) != 8 * bytes) return unreadable("integers with unused bits");
  const bool isSigned = H5Tget_sign(type) != H5T_SGN_NONE;
  Hdf5Element element;
  switch (bytes) {
    case 1: element.dtype = isSigned ? DType::I8 : DType::U8; break;
    case 2: element.dtype = isSigned ? DType::I16 : DType::U16; break;
    case 4: element.dtype = isSigned ? DType::I32 : DType::I64; break;
    case 8: element.dtype = DType::I64; break;
    default: return unreadable(fmt::format("integers of {} bytes", bytes));
  }
  element.wide = bytes == 8 && !isSigned;
  element.straight = bytes < 4 || isSigned;
  if (bytes > 1 && H5Tget_order(type) != H5T_ORDER_LE) element.straight = false;
  return element;
}

Hdf5Element realElement(hid_t type) {
  struct Known {
    std::size_t bytes;
    std::size_t exponent;  ///< bits
    std::size_t mantissa;  ///< bits
    DType dtype;
  };
  constexpr std::array<Known, 4> kKnown = {{{2, 5, 10, DType::F16},
                                            {2, 8, 7, DType::BF16},
                                            {4, 8, 23, DType::F32},
                                            {8, 11, 52, DType::F64}}};
  std::size_t sign = 0;
  std::size_t exponentAt = 0;
  std::size_t exponent = 0;
  std::size_t mantissaAt = 0;
  std::size_t mantissa = 0;
  H5Tget_fields(type, &sign, &exponentAt, &exponent, &mantissaAt, &mantissa);
  for (const Known& known : kKnown) {
    if (known.bytes != H5Tget_size(type) || known.exponent != exponent ||
        known.mantissa != mantissa)
      continue;
    Hdf5Element element;
    element.dtype = known.dtype;
    element.straight = H5Tget_order(type) == H5T_ORDER_LE;
    return element;
  }
  return unreadable(fmt::format("floating-point numbers of {} bytes", H5Tget_size(type)));
}

/// Bytes that are not numbers: fixed-length strings, opaque types.
Hdf5Element bytesElement(hid_t type) {
  Hdf5Element element;
  element.axes = {H5Tget_size(type)};
  return element;
}

Hdf5Element arrayElement(hid_t type) {
  const Hdf5Id base(H5Tget_super(type), H5Tclose);
  Hdf5Element element = hdf5ElementOf(base.get());
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  const int rank = H5Tget_array_dims2(type, sizes.data());
  if (rank < 0 || element.variable) return unreadable("arrays of variable-length runs");
  element.axes.insert(element.axes.begin(), sizes.begin(), sizes.begin() + rank);
  return element;
}

Hdf5Element runElement(hid_t type) {
  const Hdf5Id base(H5Tget_super(type), H5Tclose);
  Hdf5Element element = hdf5ElementOf(base.get());
  if (!element.whyNot.empty()) return element;
  if (element.variable || !element.axes.empty()) return unreadable("nested variable-length runs");
  element.variable = true;
  element.straight = element.dtype == DType::U8 || element.dtype == DType::I8;
  if (element.straight) element.dtype = DType::Encoded;
  return element;
}

}  // namespace

Hdf5Element hdf5ElementOf(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return integerElement(type);
    case H5T_FLOAT: return realElement(type);
    case H5T_OPAQUE: return bytesElement(type);
    case H5T_ARRAY: return arrayElement(type);
    case H5T_VLEN: return runElement(type);
    case H5T_ENUM: {
      const Hdf5Id base(H5Tget_super(type), H5Tclose);
      return hdf5ElementOf(base.get());
    }
    case H5T_STRING: {
      if (H5Tis_variable_str(type) <= 0) return bytesElement(type);
      Hdf5Element element;
      element.dtype = DType::Encoded;
      element.variable = true;
      return element;
    }
    case H5T_COMPOUND: return unreadable("compound records");
    case H5T_REFERENCE: return unreadable("references");
    case H5T_BITFIELD: return unreadable("bit fields");
    default: return unreadable("elements of an unknown type");
  }
}

Hdf5Id hdf5MemoryType(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_ENUM || kind == H5T_VLEN || kind == H5T_ARRAY) {
    const Hdf5Id super(H5Tget_super(type), H5Tclose);
    Hdf5Id base = hdf5MemoryType(super.get());
    if (kind == H5T_ENUM) return base;
    if (kind == H5T_VLEN) return {H5Tvlen_create(base.get()), H5Tclose};
    std::array<hsize_t, H5S_MAX_RANK> sizes{};
    const int rank = H5Tget_array_dims2(type, sizes.data());
    return {H5Tarray_create2(base.get(), static_cast<unsigned>(rank), sizes.data()), H5Tclose};
  }
  if (kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE && H5Tget_size(type) >= 4)
    return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose};
  Hdf5Id copy(H5Tcopy(type), H5Tclose);
  if (kind == H5T_INTEGER || kind == H5T_FLOAT) H5Tset_order(copy.get(), H5T_ORDER_LE);
  return copy;
}

}  // namespace millrace
