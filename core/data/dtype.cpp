// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/dtype.h"

#include <array>

namespace millrace {

namespace {

struct Row {
  DType type;
  std::string_view name;
  std::size_t size;
};

constexpr std::array kRows = {
    Row{DType::U8, "u8", 1},   Row{DType::I8, "i8", 1},           Row{DType::U16, "u16", 2},
    Row{DType::I16, "i16", 2}, Row{DType::I32, "i32", 4},         Row{DType::I64, "i64", 8},
    Row{DType::F16, "f16", 2}, Row{DType::BF16, "bf16", 2},       Row{DType::F32, "f32", 4},
    Row{DType::F64, "f64", 8}, Row{DType::Encoded, "encoded", 1},
};

const Row& rowOf(DType type) { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace

std::size_t sizeOf(DType type) { return rowOf(type).size; }

std::string_view nameOf(DType type) { return rowOf(type).name; }

std::optional<DType> dtypeNamed(std::string_view name) {
  for (const Row& row : kRows)
    if (row.name == name) return row.type;
  return std::nullopt;
}

bool isFloat(DType type) {
  return type == DType::F16 || type == DType::BF16 || type == DType::F32 || type == DType::F64;
}

}  // namespace millrace
