// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "tests/ptx/translation.h"

namespace millrace::ptx {

/// Opcodes that integers and floats share are created by ops_float.cpp, which checks the type.
void makeIntegerAdd(Translation& t);
void makeIntegerSub(Translation& t);
void makeIntegerMul(Translation& t);
void makeIntegerDiv(Translation& t);
void makeIntegerMin(Translation& t);
void makeIntegerMax(Translation& t);
void makeIntegerNeg(Translation& t);
void makeIntegerAbs(Translation& t);

/// The integer type of twice the width.
template <class T>
using Twice =
    std::conditional_t<sizeof(T) == 2,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

}  // namespace millrace::ptx
