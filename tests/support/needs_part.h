// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtTest>

#include "core/base/parts.h"

/// Skips a test, or all of a class in its initTestCase, where this build lacks an optional part.
#define MILLRACE_NEEDS_PART(name)                                    \
  do {                                                               \
    if (const auto there = ::millrace::checkPart(name); !there.ok()) \
      QSKIP(there.error().message.c_str());                          \
  } while (false)
