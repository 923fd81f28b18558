// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/random.h"
#include "core/data/image_view.h"

namespace millrace {

/// Adds normally distributed noise to every value of a u8 picture, as torchvision's gaussian_noise:
/// `mean` and `sigma` are on the scale from 0 to 1, the noise is truncated to whole levels, the sum
/// is clipped. Values are quantiles of 16 random bits, two for each draw, so that none is further
/// than 4.3 sigma from the mean.
void addGaussianNoise(MutableImageView picture, double mean, double sigma, Draw& draw);

/// Makes about the share `amount` of the pixels white or black, all their channels alike; `salt` is
/// the share of white ones.
void addSaltAndPepper(MutableImageView picture, double amount, double salt, Draw& draw);

}  // namespace millrace
