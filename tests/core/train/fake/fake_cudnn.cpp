// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A fake cuDNN without a GPU: simple implementations on host memory, for f32 with channels last
// only. It rejects what cuDNN would reject, so that calls in the wrong order show.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "core/cuda/libraries/cudnn_abi.h"

namespace millrace::cudnn {

struct OpaqueDnn {};
struct OpaqueTensor {
  int n = 0, c = 0, h = 0, w = 0;
};
struct OpaqueFilter {
  int k = 0, c = 0, h = 0, w = 0;
};
struct OpaqueConvolution {
  int pad = -1, stride = 0, math = -1;
};

}  // namespace millrace::cudnn

namespace {

using millrace::cudnn::Algorithm;
using millrace::cudnn::Code;
using millrace::cudnn::Handle;
using Tensor = millrace::cudnn::OpaqueTensor;
using Filter = millrace::cudnn::OpaqueFilter;
using Convolution = millrace::cudnn::OpaqueConvolution;

constexpr Code kBadParameter = 2000;
constexpr int kChosen = 5;
constexpr std::size_t kWorkspace = 1000;

bool isKnown(int type, int format) {
  return type == millrace::cudnn::kFloat && format == millrace::cudnn::kChannelsLast;
}

std::size_t place(const Tensor& t, int n, int y, int x, int c) {
  return static_cast<std::size_t>(((n * t.h + y) * t.w + x) * t.c + c);
}

bool fits(const Tensor& x, const Filter& w, const Convolution& conv, const Tensor& y) {
  const auto out = [&](int in, int kernel) {
    return (in + 2 * conv.pad - kernel) / conv.stride + 1;
  };
  return conv.pad >= 0 && x.c == w.c && y.c == w.k && x.n == y.n && out(x.h, w.h) == y.h &&
         out(x.w, w.w) == y.w;
}

/// Calls `work(input place, weight place, output place)` for every product of the convolution.
template <class Work>
void forProducts(const Tensor& in, const Filter& filter, const Convolution& conv, const Tensor& out,
                 const Work& work) {
  for (int n = 0; n < out.n; ++n)
    for (int y = 0; y < out.h; ++y)
      for (int x = 0; x < out.w; ++x)
        for (int k = 0; k < out.c; ++k)
          for (int r = 0; r < filter.h; ++r)
            for (int s = 0; s < filter.w; ++s)
              for (int c = 0; c < in.c; ++c) {
                const int row = y * conv.stride + r - conv.pad;
                const int column = x * conv.stride + s - conv.pad;
                if (row < 0 || column < 0 || row >= in.h || column >= in.w) continue;
                work(place(in, n, row, column, c),
                     static_cast<std::size_t>(((k * filter.h + r) * filter.w + s) * filter.c + c),
                     place(out, n, y, x, k));
              }
}

void keep(float* values, std::size_t count, const void* beta) {
  const float share = *static_cast<const float*>(beta);
  for (std::size_t i = 0; i < count; ++i) values[i] = share == 0 ? 0 : share * values[i];
}

std::size_t sizeOf(const Tensor& t) { return static_cast<std::size_t>(t.n * t.c * t.h * t.w); }

int g_asked = 0;
int g_tried = 0;

Code algorithms(int asked, int* given, Algorithm* to) {
  if (asked < 3) return kBadParameter;
  // The first does not work, the second is too large, the third should be chosen.
  to[0] = {1, kBadParameter, 0, 0, 0, 1, {}};
  to[1] = {2, 0, 0, std::size_t{1} << 40U, 0, 1, {}};
  to[2] = {kChosen, 0, 0, kWorkspace, 0, 1, {}};
  *given = 3;
  return 0;
}

/// As `algorithms`; the content of the result is lost, as when algorithms are tried.
Code tried(void* result, std::size_t count, void* workspace, std::size_t bytes, int asked,
           int* given, Algorithm* to) {
  ++g_tried;
  if (result == nullptr || workspace == nullptr || bytes < kWorkspace) return kBadParameter;
  std::fill_n(static_cast<float*>(result), count, std::numeric_limits<float>::quiet_NaN());
  return algorithms(asked, given, to);
}

bool isChosen(int algorithm, const void* workspace, std::size_t bytes, const Convolution& conv) {
  return algorithm == kChosen && workspace != nullptr && bytes == kWorkspace && conv.math == 1;
}

template <class T>
Code make(T** to) {
  *to = new T;
  return 0;
}
template <class T>
Code destroy(T* what) {
  delete what;
  return 0;
}

}  // namespace

extern "C" {

int millraceOnHostMemory() { return 1; }
/// How often algorithms were requested, and tried.
int millraceAsked() { return g_asked; }
int millraceTried() { return g_tried; }

std::size_t cudnnGetVersion() {
#if defined(FAKE_CUDNN_OLD)
  return 8907;
#else
  return 90501;
#endif
}
const char* cudnnGetErrorString(Code code) { return code == 0 ? "fine" : "bad parameter"; }
Code cudnnCreate(Handle* handle) { return make(handle); }
Code cudnnDestroy(Handle handle) { return destroy(handle); }
Code cudnnSetStream(Handle, void*) { return 0; }
Code cudnnCreateTensorDescriptor(Tensor** to) { return make(to); }
Code cudnnDestroyTensorDescriptor(Tensor* what) { return destroy(what); }
Code cudnnSetTensor4dDescriptor(Tensor* to, int format, int type, int n, int c, int h, int w) {
  *to = {n, c, h, w};
  return isKnown(type, format) ? 0 : kBadParameter;
}
Code cudnnCreateFilterDescriptor(Filter** to) { return make(to); }
Code cudnnDestroyFilterDescriptor(Filter* what) { return destroy(what); }
Code cudnnSetFilter4dDescriptor(Filter* to, int type, int format, int k, int c, int h, int w) {
  *to = {k, c, h, w};
  return isKnown(type, format) ? 0 : kBadParameter;
}
Code cudnnCreateConvolutionDescriptor(Convolution** to) { return make(to); }
Code cudnnDestroyConvolutionDescriptor(Convolution* what) { return destroy(what); }
Code cudnnSetConvolution2dDescriptor(Convolution* to, int padH, int padW, int strideH, int strideW,
                                     int dilationH, int dilationW, int mode, int type) {
  *to = {padH, strideH, to->math};
  return padH == padW && strideH == strideW && dilationH == 1 && dilationW == 1 && mode == 1 &&
                 type == 0
             ? 0
             : kBadParameter;
}
Code cudnnSetConvolutionMathType(Convolution* to, int math) {
  to->math = math;
  return 0;
}
Code cudnnGetConvolutionForwardAlgorithm_v7(Handle, Tensor* x, Filter* w, Convolution* conv,
                                            Tensor* y, int asked, int* given, Algorithm* to) {
  ++g_asked;
  return fits(*x, *w, *conv, *y) ? algorithms(asked, given, to) : kBadParameter;
}
Code cudnnGetConvolutionBackwardDataAlgorithm_v7(Handle, Filter* w, Tensor* dy, Convolution* conv,
                                                 Tensor* dx, int asked, int* given, Algorithm* to) {
  ++g_asked;
  return fits(*dx, *w, *conv, *dy) ? algorithms(asked, given, to) : kBadParameter;
}
Code cudnnGetConvolutionBackwardFilterAlgorithm_v7(Handle, Tensor* x, Tensor* dy, Convolution* conv,
                                                   Filter* dw, int asked, int* given,
                                                   Algorithm* to) {
  ++g_asked;
  return fits(*x, *dw, *conv, *dy) ? algorithms(asked, given, to) : kBadParameter;
}

Code cudnnFindConvolutionForwardAlgorithmEx(Handle, Tensor* x, const void* xData, Filter* w,
                                            const void* wData, Convolution* conv, Tensor* y,
                                            void* yData, int asked, int* given, Algorithm* to,
                                            void* workspace, std::size_t bytes) {
  if (!fits(*x, *w, *conv, *y) || xData == nullptr || wData == nullptr) return kBadParameter;
  return tried(yData, sizeOf(*y), workspace, bytes, asked, given, to);
}
Code cudnnFindConvolutionBackwardDataAlgorithmEx(Handle, Filter* w, const void* wData, Tensor* dy,
                                                 const void* dyData, Convolution* conv, Tensor* dx,
                                                 void* dxData, int asked, int* given, Algorithm* to,
                                                 void* workspace, std::size_t bytes) {
  if (!fits(*dx, *w, *conv, *dy) || wData == nullptr || dyData == nullptr) return kBadParameter;
  return tried(dxData, sizeOf(*dx), workspace, bytes, asked, given, to);
}
Code cudnnFindConvolutionBackwardFilterAlgorithmEx(Handle, Tensor* x, const void* xData, Tensor* dy,
                                                   const void* dyData, Convolution* conv,
                                                   Filter* dw, void* dwData, int asked, int* given,
                                                   Algorithm* to, void* workspace,
                                                   std::size_t bytes) {
  if (!fits(*x, *dw, *conv, *dy) || xData == nullptr || dyData == nullptr) return kBadParameter;
  return tried(dwData, static_cast<std::size_t>(dw->k * dw->c * dw->h * dw->w), workspace, bytes,
               asked, given, to);
}

Code cudnnConvolutionForward(Handle, const void*, Tensor* xd, const void* xData, Filter* wd,
                             const void* wData, Convolution* conv, int algorithm, void* workspace,
                             std::size_t bytes, const void* beta, Tensor* yd, void* yData) {
  if (!isChosen(algorithm, workspace, bytes, *conv) || !fits(*xd, *wd, *conv, *yd))
    return kBadParameter;
  const auto* const x = static_cast<const float*>(xData);
  const auto* const w = static_cast<const float*>(wData);
  auto* const y = static_cast<float*>(yData);
  keep(y, sizeOf(*yd), beta);
  forProducts(*xd, *wd, *conv, *yd, [&](std::size_t in, std::size_t weight, std::size_t out) {
    y[out] += x[in] * w[weight];
  });
  return 0;
}
Code cudnnConvolutionBackwardData(Handle, const void*, Filter* wd, const void* wData, Tensor* dyd,
                                  const void* dyData, Convolution* conv, int algorithm,
                                  void* workspace, std::size_t bytes, const void* beta, Tensor* dxd,
                                  void* dxData) {
  if (!isChosen(algorithm, workspace, bytes, *conv) || !fits(*dxd, *wd, *conv, *dyd))
    return kBadParameter;
  const auto* const w = static_cast<const float*>(wData);
  const auto* const dy = static_cast<const float*>(dyData);
  auto* const dx = static_cast<float*>(dxData);
  keep(dx, sizeOf(*dxd), beta);
  forProducts(*dxd, *wd, *conv, *dyd, [&](std::size_t in, std::size_t weight, std::size_t out) {
    dx[in] += dy[out] * w[weight];
  });
  return 0;
}
Code cudnnConvolutionBackwardFilter(Handle, const void*, Tensor* xd, const void* xData, Tensor* dyd,
                                    const void* dyData, Convolution* conv, int algorithm,
                                    void* workspace, std::size_t bytes, const void* beta,
                                    Filter* dwd, void* dwData) {
  if (!isChosen(algorithm, workspace, bytes, *conv) || !fits(*xd, *dwd, *conv, *dyd))
    return kBadParameter;
  const auto* const x = static_cast<const float*>(xData);
  const auto* const dy = static_cast<const float*>(dyData);
  auto* const dw = static_cast<float*>(dwData);
  keep(dw, static_cast<std::size_t>(dwd->k * dwd->c * dwd->h * dwd->w), beta);
  forProducts(*xd, *dwd, *conv, *dyd, [&](std::size_t in, std::size_t weight, std::size_t out) {
    dw[weight] += x[in] * dy[out];
  });
  return 0;
}

}  // extern "C"
