// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/change/picture_change.h"

namespace millrace::tests {

/// What torchvision 0.29.2 makes of the drawn picture of tst_picture_change.cpp: the rows are
/// printed by experiments/augmentation/expected_digests.py.
struct TorchvisionChange {
  ChangeKind kind;
  double amount;
  bool nearest;
  std::uint8_t fill;  ///< 0: none
  std::uint64_t digest;
};

inline constexpr TorchvisionChange kTorchvisionChanges[] = {
    {ChangeKind::ShearX, 0.2, true, 0, 0x9a0aaaaee6c57bf7ULL},
    {ChangeKind::ShearX, 0.2, true, 77, 0x2e4fdf8b611c838fULL},
    {ChangeKind::ShearX, 0.2, false, 0, 0x9f436a8498a75184ULL},
    {ChangeKind::ShearX, 0.2, false, 77, 0x63c6d275c014c7a3ULL},
    {ChangeKind::ShearX, -0.3, true, 0, 0x099755709f457de5ULL},
    {ChangeKind::ShearX, -0.3, true, 77, 0x05b48e35f9f844d6ULL},
    {ChangeKind::ShearX, -0.3, false, 0, 0x841447e47be1bc2fULL},
    {ChangeKind::ShearX, -0.3, false, 77, 0x4b564469c69822e5ULL},
    {ChangeKind::ShearX, 0.99, true, 0, 0x1f99ef6bee1a79b0ULL},
    {ChangeKind::ShearX, 0.99, true, 77, 0x87aaf8233ac255e9ULL},
    {ChangeKind::ShearX, 0.99, false, 0, 0x4842072713de96d0ULL},
    {ChangeKind::ShearX, 0.99, false, 77, 0x0538f85273253bf8ULL},
    {ChangeKind::ShearY, 0.1, true, 0, 0xf2a90d21d5f5b069ULL},
    {ChangeKind::ShearY, 0.1, true, 77, 0xb42a255f73051a53ULL},
    {ChangeKind::ShearY, 0.1, false, 0, 0x0470cbd428afbda3ULL},
    {ChangeKind::ShearY, 0.1, false, 77, 0xb01ef96a9e6aff27ULL},
    {ChangeKind::ShearY, -0.33, true, 0, 0x558f618d7bb6d8d9ULL},
    {ChangeKind::ShearY, -0.33, true, 77, 0xe13616e0ffbace55ULL},
    {ChangeKind::ShearY, -0.33, false, 0, 0x8c4ad009a3499447ULL},
    {ChangeKind::ShearY, -0.33, false, 77, 0x219a87242d63206bULL},
    {ChangeKind::TranslateX, 17.9, true, 0, 0xc66b7cb738faf6d4ULL},
    {ChangeKind::TranslateX, 17.9, true, 77, 0x230feaedceae392fULL},
    {ChangeKind::TranslateX, 17.9, false, 0, 0xc66b7cb738faf6d4ULL},
    {ChangeKind::TranslateX, 17.9, false, 77, 0x230feaedceae392fULL},
    {ChangeKind::TranslateX, -30.0, true, 0, 0x5787ec54fc2ccae0ULL},
    {ChangeKind::TranslateX, -30.0, true, 77, 0x8c578e7ad34bc35aULL},
    {ChangeKind::TranslateX, -30.0, false, 0, 0x5787ec54fc2ccae0ULL},
    {ChangeKind::TranslateX, -30.0, false, 77, 0x8c578e7ad34bc35aULL},
    {ChangeKind::TranslateY, 9.0, true, 0, 0x6361c36e59e81276ULL},
    {ChangeKind::TranslateY, 9.0, true, 77, 0x2b1868a81dd68db3ULL},
    {ChangeKind::TranslateY, 9.0, false, 0, 0x6361c36e59e81276ULL},
    {ChangeKind::TranslateY, 9.0, false, 77, 0x2b1868a81dd68db3ULL},
    {ChangeKind::TranslateY, -21.5, true, 0, 0xe4b06b3bda206de4ULL},
    {ChangeKind::TranslateY, -21.5, true, 77, 0x09bffc6559c848f5ULL},
    {ChangeKind::TranslateY, -21.5, false, 0, 0xe4b06b3bda206de4ULL},
    {ChangeKind::TranslateY, -21.5, false, 77, 0x09bffc6559c848f5ULL},
    {ChangeKind::Rotate, 11.0, true, 0, 0x4e3a55e162fb7683ULL},
    {ChangeKind::Rotate, 11.0, true, 77, 0x1034872c2f666bcfULL},
    {ChangeKind::Rotate, 11.0, false, 0, 0x099b07fc575a67ebULL},
    {ChangeKind::Rotate, 11.0, false, 77, 0x6fbd528a24094efbULL},
    {ChangeKind::Rotate, -30.0, true, 0, 0xea346d2b6100da97ULL},
    {ChangeKind::Rotate, -30.0, true, 77, 0xa275e170fc0c3c3fULL},
    {ChangeKind::Rotate, -30.0, false, 0, 0x540b97ad86194dadULL},
    {ChangeKind::Rotate, -30.0, false, 77, 0x1e8f6a92a06c772aULL},
    {ChangeKind::Rotate, 90.0, true, 0, 0x321649a7a054b094ULL},
    {ChangeKind::Rotate, 90.0, true, 77, 0x023bea9094cf6300ULL},
    {ChangeKind::Rotate, 90.0, false, 0, 0x321649a7a054b094ULL},
    {ChangeKind::Rotate, 90.0, false, 77, 0x023bea9094cf6300ULL},
    {ChangeKind::Rotate, 135.0, true, 0, 0xde02d9d197a03537ULL},
    {ChangeKind::Rotate, 135.0, true, 77, 0x082194a4dab8add7ULL},
    {ChangeKind::Rotate, 135.0, false, 0, 0x3bfee3094521e6c0ULL},
    {ChangeKind::Rotate, 135.0, false, 77, 0xaf1b284305f985efULL},
    {ChangeKind::Brightness, 1.37, true, 0, 0x1da878df409ef38dULL},
    {ChangeKind::Brightness, 0.09999999999999998, true, 0, 0xd59e355e3fcedf15ULL},
    {ChangeKind::Saturation, 1.37, true, 0, 0x8aeb9b85ea811f4aULL},
    {ChangeKind::Saturation, 0.15000000000000002, true, 0, 0xf8f6bfa14e05b0feULL},
    {ChangeKind::Contrast, 1.37, true, 0, 0x357d6a6ff5c51c70ULL},
    {ChangeKind::Contrast, 0.15000000000000002, true, 0, 0x858897773b728e2dULL},
    {ChangeKind::Sharpness, 1.9, true, 0, 0xe97a79f59758bdeaULL},
    {ChangeKind::Sharpness, 0.85, true, 0, 0xae047990607d68deULL},
    {ChangeKind::Sharpness, 1.45, true, 0, 0x7e9b94cb2b766d17ULL},
    {ChangeKind::Posterize, 3.0, true, 0, 0x0bab4eb8a3294bdfULL},
    {ChangeKind::Posterize, 7.0, true, 0, 0x5c454b03cce46e35ULL},
    {ChangeKind::Posterize, 0.0, true, 0, 0x61b3c874387c7b7fULL},
    {ChangeKind::Solarize, 0.0, true, 0, 0x9a66a310df5a6f4fULL},
    {ChangeKind::Solarize, 127.5, true, 0, 0x26bed14053b5e7ffULL},
    {ChangeKind::Solarize, 181.04999999999998, true, 0, 0x4241e27366a61c2eULL},
    {ChangeKind::AutoContrast, 0.0, true, 0, 0x79314759d616546bULL},
    {ChangeKind::Equalize, 0.0, true, 0, 0x6ea43a56f787062aULL},
    {ChangeKind::Invert, 0.0, true, 0, 0x9a66a310df5a6f4fULL},
    {ChangeKind::Gamma, 0.45, true, 0, 0x5b11291d78bad7caULL},
    {ChangeKind::Gamma, 1.7, true, 0, 0x64f5cbb562128c77ULL},
};

}  // namespace millrace::tests
