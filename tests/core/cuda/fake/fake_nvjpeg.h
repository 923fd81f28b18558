// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the stand-in for nvJPEG does otherwise than decode by libjpeg-turbo into host memory, at
/// once: words, parted by blanks.
///
///   create=7        nvjpegCreateEx fails with that code, for every backend
///   no_engine       the hardware backend is refused
///   batch=6         nvjpegDecodeBatched fails with that code, always
///   width=40:3      pictures of that width fail with that code, in a batch and alone
///   head=40         pictures of that width are none that the batch takes, by their heads
///   whole           no picture is one of which the batch takes a region
/// Around a region it fills the picture with a colour that no test has.
extern "C" void fakeNvjpegScript(const char* words);
/// Calls of nvjpegDecodeBatched and nvjpegDecodeBatchedEx, of nvjpegDecode, pictures decoded, and
/// those of which it was a region, since the script was set.
extern "C" int fakeNvjpegBatches();
extern "C" int fakeNvjpegSingles();
extern "C" int fakeNvjpegPictures();
extern "C" int fakeNvjpegRegions();
/// Handles, states, streams and parameters that are not given back.
extern "C" int fakeNvjpegOpen();
