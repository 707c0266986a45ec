// GPU performance monitoring: metrics between two samples. Per-link and per-engine repeats of a
// metric are left out; they follow their first.
#pragma once

#include "abi/driver/nvml_device.h"

typedef enum nvmlGpmMetricId_t : unsigned {
  NVML_GPM_METRIC_GRAPHICS_UTIL = 1,
  NVML_GPM_METRIC_SM_UTIL = 2,
  NVML_GPM_METRIC_SM_OCCUPANCY = 3,
  NVML_GPM_METRIC_INTEGER_UTIL = 4,
  NVML_GPM_METRIC_ANY_TENSOR_UTIL = 5,
  NVML_GPM_METRIC_DFMA_TENSOR_UTIL = 6,
  NVML_GPM_METRIC_HMMA_TENSOR_UTIL = 7,
  NVML_GPM_METRIC_IMMA_TENSOR_UTIL = 9,
  NVML_GPM_METRIC_DRAM_BW_UTIL = 10,
  NVML_GPM_METRIC_FP64_UTIL = 11,
  NVML_GPM_METRIC_FP32_UTIL = 12,
  NVML_GPM_METRIC_FP16_UTIL = 13,
  NVML_GPM_METRIC_PCIE_TX_PER_SEC = 20,
  NVML_GPM_METRIC_PCIE_RX_PER_SEC = 21,
  NVML_GPM_METRIC_NVDEC_0_UTIL = 30,
  NVML_GPM_METRIC_NVJPG_0_UTIL = 40,
  NVML_GPM_METRIC_NVOFA_0_UTIL = 50,
  NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC = 60,
  NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC = 61,
  NVML_GPM_METRIC_C2C_TOTAL_TX_PER_SEC = 100,
  NVML_GPM_METRIC_C2C_TOTAL_RX_PER_SEC = 101,
  NVML_GPM_METRIC_C2C_DATA_TX_PER_SEC = 102,
  NVML_GPM_METRIC_C2C_DATA_RX_PER_SEC = 103,
  NVML_GPM_METRIC_HOSTMEM_CACHE_HIT = 160,
  NVML_GPM_METRIC_HOSTMEM_CACHE_MISS = 161,
  NVML_GPM_METRIC_PEERMEM_CACHE_HIT = 162,
  NVML_GPM_METRIC_PEERMEM_CACHE_MISS = 163,
  NVML_GPM_METRIC_DRAM_CACHE_HIT = 164,
  NVML_GPM_METRIC_DRAM_CACHE_MISS = 165,
  NVML_GPM_METRIC_NVENC_0_UTIL = 166,
  NVML_GPM_METRIC_MAX = 210,
} nvmlGpmMetricId_t;

typedef struct nvmlGpmSample_st* nvmlGpmSample_t;

typedef struct nvmlGpmMetric_t {
  unsigned int metricId;
  nvmlReturn_t nvmlReturn;
  double value;
  struct {
    char* shortName;
    char* longName;
    char* unit;
  } metricInfo;
} nvmlGpmMetric_t;

// In: two samples and the metrics wanted. Out: each metric between them, or why not.
typedef struct nvmlGpmMetricsGet_t {
  unsigned int version;
  unsigned int numMetrics;
  nvmlGpmSample_t sample1;
  nvmlGpmSample_t sample2;
  nvmlGpmMetric_t metrics[NVML_GPM_METRIC_MAX];
} nvmlGpmMetricsGet_t;

#define NVML_GPM_METRICS_GET_VERSION 1

typedef struct nvmlGpmSupport_t {
  unsigned int version;
  unsigned int isSupportedDevice;
} nvmlGpmSupport_t;

#define NVML_GPM_SUPPORT_VERSION 1
