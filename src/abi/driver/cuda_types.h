// Everything the CUDA driver API passes around, declared in our own words so that nothing here
// needs a CUDA toolkit. Names, values and layouts are those of CUDA 13.0; tests/driver_header
// compares each with NVIDIA's header. Types only: no function is declared, and C may include it.
//
// Where a type has several versions, the plain name is the one current functions take.
#pragma once

#include "abi/driver/cuda_array.h"
#include "abi/driver/cuda_context.h"
#include "abi/driver/cuda_copy.h"
#include "abi/driver/cuda_device.h"
#include "abi/driver/cuda_driver.h"
#include "abi/driver/cuda_event.h"
#include "abi/driver/cuda_graph.h"
#include "abi/driver/cuda_graph_node.h"
#include "abi/driver/cuda_green.h"
#include "abi/driver/cuda_handles.h"
#include "abi/driver/cuda_interop.h"
#include "abi/driver/cuda_launch.h"
#include "abi/driver/cuda_memory.h"
#include "abi/driver/cuda_memory_pool.h"
#include "abi/driver/cuda_memory_virtual.h"
#include "abi/driver/cuda_module.h"
#include "abi/driver/cuda_result.h"
#include "abi/driver/cuda_stream.h"
#include "abi/driver/cuda_texture.h"
