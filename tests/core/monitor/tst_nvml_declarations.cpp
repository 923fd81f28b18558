// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Compares the declarations of NVIDIA's management library with its own header, if that is
// installed.
#include <cstddef>

#include "core/monitor/gpu/nvml_abi.h"
#include "tests/support/same_call.h"
#include "tests/support/test_case.h"

#if __has_include(<nvml.h>)
// Without this, names in the header stand for the newest versions of the functions.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>
#define MILLRACE_HAS_NVML_H
#endif

namespace millrace {

using tests::sameCall;

class TestNvmlDeclarations : public QObject {
  Q_OBJECT

 private slots:
  void numbers() {
#if defined(MILLRACE_HAS_NVML_H)
    static_assert(nvml::kSuccess == NVML_SUCCESS &&
                  nvml::kUninitialized == NVML_ERROR_UNINITIALIZED &&
                  nvml::kInvalidArgument == NVML_ERROR_INVALID_ARGUMENT &&
                  nvml::kNotSupported == NVML_ERROR_NOT_SUPPORTED &&
                  nvml::kNoPermission == NVML_ERROR_NO_PERMISSION &&
                  nvml::kNotFound == NVML_ERROR_NOT_FOUND &&
                  nvml::kInsufficientSize == NVML_ERROR_INSUFFICIENT_SIZE &&
                  nvml::kDriverNotLoaded == NVML_ERROR_DRIVER_NOT_LOADED &&
                  nvml::kFunctionNotFound == NVML_ERROR_FUNCTION_NOT_FOUND &&
                  nvml::kGpuIsLost == NVML_ERROR_GPU_IS_LOST &&
                  nvml::kResetRequired == NVML_ERROR_RESET_REQUIRED &&
                  nvml::kVersionMismatch == NVML_ERROR_LIB_RM_VERSION_MISMATCH &&
                  nvml::kUnknown == NVML_ERROR_UNKNOWN);
    static_assert(nvml::kClockSm == NVML_CLOCK_SM && nvml::kClockMemory == NVML_CLOCK_MEM &&
                  nvml::kSensorGpu == NVML_TEMPERATURE_GPU &&
                  nvml::kPcieTransmit == NVML_PCIE_UTIL_TX_BYTES &&
                  nvml::kPcieReceive == NVML_PCIE_UTIL_RX_BYTES &&
                  nvml::kFieldPcieTransmitBytes == NVML_FI_DEV_PCIE_COUNT_TX_BYTES &&
                  nvml::kFieldPcieReceiveBytes == NVML_FI_DEV_PCIE_COUNT_RX_BYTES);
    static_assert(static_cast<int>(nvml::ValueType::UnsignedInt) == NVML_VALUE_TYPE_UNSIGNED_INT &&
                  static_cast<int>(nvml::ValueType::UnsignedLongLong) ==
                      NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
    QVERIFY(nvml::kTextSize >= NVML_DEVICE_UUID_V2_BUFFER_SIZE);
#else
    QSKIP("nvml.h is not here: scripts/nvidia-headers fetches it");
#endif
  }

  void layouts() {
#if defined(MILLRACE_HAS_NVML_H)
    using nvml::FieldValue;
    static_assert(sizeof(nvml::Utilization) == sizeof(nvmlUtilization_t) &&
                  sizeof(nvml::Memory) == sizeof(nvmlMemory_t) &&
                  sizeof(nvml::ProcessInfo) == sizeof(nvmlProcessInfo_v2_t) &&
                  sizeof(nvml::ProcessUtilization) == sizeof(nvmlProcessUtilizationSample_t) &&
                  sizeof(FieldValue) == sizeof(nvmlFieldValue_t));
    static_assert(offsetof(nvml::Memory, used) == offsetof(nvmlMemory_t, used) &&
                  offsetof(nvml::ProcessInfo, pid) == offsetof(nvmlProcessInfo_v2_t, pid) &&
                  offsetof(nvml::ProcessUtilization, sm) ==
                      offsetof(nvmlProcessUtilizationSample_t, smUtil) &&
                  offsetof(FieldValue, valueType) == offsetof(nvmlFieldValue_t, valueType) &&
                  offsetof(FieldValue, result) == offsetof(nvmlFieldValue_t, nvmlReturn) &&
                  offsetof(FieldValue, value) == offsetof(nvmlFieldValue_t, value));
    QVERIFY(sizeof(nvml::Device) == sizeof(nvmlDevice_t));
#else
    QSKIP("nvml.h is not here: scripts/nvidia-headers fetches it");
#endif
  }

  void functions() {
#if defined(MILLRACE_HAS_NVML_H)
    constexpr nvml::Functions f{};
    static_assert(sameCall(f.init, &nvmlInit_v2) && sameCall(f.shutdown, &nvmlShutdown) &&
                  sameCall(f.errorString, &nvmlErrorString) &&
                  sameCall(f.driverVersion, &nvmlSystemGetDriverVersion) &&
                  sameCall(f.libraryVersion, &nvmlSystemGetNVMLVersion) &&
                  sameCall(f.cudaVersion, &nvmlSystemGetCudaDriverVersion_v2) &&
                  sameCall(f.deviceCount, &nvmlDeviceGetCount_v2) &&
                  sameCall(f.deviceByIndex, &nvmlDeviceGetHandleByIndex_v2) &&
                  sameCall(f.deviceName, &nvmlDeviceGetName) &&
                  sameCall(f.deviceUuid, &nvmlDeviceGetUUID));
    static_assert(sameCall(f.utilization, &nvmlDeviceGetUtilizationRates) &&
                  sameCall(f.memory, &nvmlDeviceGetMemoryInfo) &&
                  sameCall(f.power, &nvmlDeviceGetPowerUsage) &&
                  sameCall(f.powerLimit, &nvmlDeviceGetEnforcedPowerLimit) &&
                  sameCall(f.clock, &nvmlDeviceGetClockInfo) &&
                  sameCall(f.clockReasons, &nvmlDeviceGetCurrentClocksEventReasons) &&
                  sameCall(f.temperature, &nvmlDeviceGetTemperature) &&
                  sameCall(f.pcieThroughput, &nvmlDeviceGetPcieThroughput) &&
                  sameCall(f.linkGeneration, &nvmlDeviceGetMaxPcieLinkGeneration) &&
                  sameCall(f.linkWidth, &nvmlDeviceGetMaxPcieLinkWidth) &&
                  sameCall(f.fieldValues, &nvmlDeviceGetFieldValues) &&
                  sameCall(f.decoderUtilization, &nvmlDeviceGetDecoderUtilization) &&
                  sameCall(f.jpegUtilization, &nvmlDeviceGetJpgUtilization));
    static_assert(sameCall(f.computeProcesses, &nvmlDeviceGetComputeRunningProcesses_v2) &&
                  sameCall(f.computeProcesses, &nvmlDeviceGetComputeRunningProcesses_v3) &&
                  sameCall(f.graphicsProcesses, &nvmlDeviceGetGraphicsRunningProcesses_v2) &&
                  sameCall(f.processUtilization, &nvmlDeviceGetProcessUtilization) &&
                  sameCall(f.migMode, &nvmlDeviceGetMigMode) &&
                  sameCall(f.maxMigDevices, &nvmlDeviceGetMaxMigDeviceCount) &&
                  sameCall(f.migDevice, &nvmlDeviceGetMigDeviceHandleByIndex) &&
                  sameCall(f.gpuInstanceId, &nvmlDeviceGetGpuInstanceId) &&
                  sameCall(f.computeInstanceId, &nvmlDeviceGetComputeInstanceId));
    QVERIFY(f.init == nullptr);
#else
    QSKIP("nvml.h is not here: scripts/nvidia-headers fetches it");
#endif
  }
};

}  // namespace millrace

using millrace::TestNvmlDeclarations;
MILLRACE_TEST_CASE(TestNvmlDeclarations)
#include "tst_nvml_declarations.moc"
