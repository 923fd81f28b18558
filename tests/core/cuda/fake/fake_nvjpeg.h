// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Sets how the fake nvJPEG deviates from decoding with libjpeg-turbo into host memory immediately.
/// The script is a list of words separated by blanks:
///
///   create=7        nvjpegCreateEx fails with this code for every backend
///   no_engine       the hardware backend is refused
///   batch=6         nvjpegDecodeBatched always fails with this code
///   width=40:3      pictures of this width fail with this code, in a batch and alone
///   head=40         the batch refuses pictures of this width by their headers
///   whole           the batch decodes no regions
/// Around a region it fills the picture with a colour that no test uses.
extern "C" void fakeNvjpegScript(const char* words);
/// Since the script was set: calls of nvjpegDecodeBatched and nvjpegDecodeBatchedEx, calls of
/// nvjpegDecode, pictures decoded, and pictures of which only a region was decoded.
extern "C" int fakeNvjpegBatches();
extern "C" int fakeNvjpegSingles();
extern "C" int fakeNvjpegPictures();
extern "C" int fakeNvjpegRegions();
/// Handles, states, streams and parameters that have not been released.
extern "C" int fakeNvjpegOpen();
