// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <QObject>
#include <QtTest>

namespace millrace::tests {

/// Registers the test class of one file under that file's name, for test_main.cpp.
struct Registration {
  Registration(const char* file, std::function<std::unique_ptr<QObject>()> make);
};

}  // namespace millrace::tests

/// Use once at the end of a test file, before its `#include "tst_x.moc"`.
#define MILLRACE_TEST_CASE(Class)                                    \
  static const ::millrace::tests::Registration registration_##Class( \
      __FILE__, [] { return std::make_unique<Class>(); });

/// Fails with the error's text if a Result holds one; evaluates its argument once.
#define VERIFY_OK(result)                                                           \
  do {                                                                              \
    const auto& verified = (result);                                                \
    QVERIFY2(verified.ok(), verified.ok() ? "" : verified.error().message.c_str()); \
  } while (false)
