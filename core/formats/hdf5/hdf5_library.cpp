// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_library.h"

#include "core/base/text/text.h"

namespace millrace {

namespace {

extern "C" herr_t takeHdf5Reason(unsigned number, const H5E_error2_t* error, void* to) {
  if (number == 0 && error->desc != nullptr) *static_cast<std::string*>(to) = error->desc;
  return 0;
}

}  // namespace

Mutex& Hdf5Lock::mutex() {
  static Mutex mutex;
  return mutex;
}

Hdf5Lock::Hdf5Lock() {
  mutex().lock();
  // In a thread-safe build, every thread has its own error stack.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5Reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, takeHdf5Reason, &reason);
  return reason.empty() ? "no reason is given" : singleLine(validUtf8(reason));
}

}  // namespace millrace
