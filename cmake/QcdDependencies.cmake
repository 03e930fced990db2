# Everything the project links. Missing packages are named by their Debian name.

set(QCD_MISSING "")
macro(qcd_need found debian_package)
    if(NOT ${found})
        list(APPEND QCD_MISSING ${debian_package})
    endif()
endmacro()
macro(qcd_stop_if_missing)
    if(QCD_MISSING)
        list(JOIN QCD_MISSING ", " QCD_MISSING)
        message(FATAL_ERROR "Missing: ${QCD_MISSING}\n./bootstrap build, as root on Debian 12, installs all that is needed.")
    endif()
endmacro()

find_package(PkgConfig QUIET)
qcd_need(PkgConfig_FOUND pkg-config)
find_package(Threads REQUIRED)
find_package(OpenMP QUIET COMPONENTS CXX)
qcd_need(OpenMP_CXX_FOUND libomp-dev) # g++ brings its own
find_package(ZLIB QUIET)
qcd_need(ZLIB_FOUND zlib1g-dev)
find_package(fmt QUIET)
qcd_need(fmt_FOUND libfmt-dev)
find_package(nlohmann_json QUIET)
qcd_need(nlohmann_json_FOUND nlohmann-json3-dev)
find_package(CLI11 QUIET)
qcd_need(CLI11_FOUND libcli11-dev)
if(QCD_TESTS)
    find_package(Catch2 2.13 QUIET)
    qcd_need(Catch2_FOUND "catch2 (2.13 or later, not 3)")
endif()
if(PkgConfig_FOUND)
    pkg_check_modules(HWLOC QUIET IMPORTED_TARGET hwloc)
    qcd_need(HWLOC_FOUND libhwloc-dev)
    pkg_check_modules(XXHASH QUIET IMPORTED_TARGET libxxhash)
    qcd_need(XXHASH_FOUND libxxhash-dev)
endif()

# ---- StarPU: one that the environment names comes first, then ./bootstrap's, then the system's.
if(PkgConfig_FOUND)
    set(ENV{PKG_CONFIG_PATH} "$ENV{PKG_CONFIG_PATH}:${QCD_DEPS_DIR}/starpu/lib/pkgconfig")
    # Looked up anew each time: ./bootstrap may have replaced it since.
    unset(__pkg_config_checked_STARPU CACHE)
    unset(pkgcfg_lib_STARPU_starpu-1.4 CACHE)
    pkg_check_modules(STARPU QUIET IMPORTED_TARGET starpu-1.4>=1.4)
    qcd_need(STARPU_FOUND "StarPU >= 1.4 (scripts/build-starpu)")
endif()
qcd_stop_if_missing()

# One of ./bootstrap's that an older recipe made works, but not as this version expects.
if(EXISTS ${STARPU_PREFIX}/qcd-stamp)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/build-starpu --check ${STARPU_PREFIX}
                    RESULT_VARIABLE starpu_is_old OUTPUT_QUIET ERROR_QUIET)
    if(starpu_is_old)
        message(WARNING "StarPU in ${STARPU_PREFIX} was built with other options than today's: "
                        "./bootstrap build, or scripts/build-starpu ${STARPU_PREFIX}, makes it anew.")
    endif()
endif()

# StarPU's headers are not ours to be warned about; and the macros it defines come from a header.
target_include_directories(PkgConfig::STARPU SYSTEM INTERFACE ${STARPU_INCLUDE_DIRS})
find_file(starpu_config_header starpu_config.h PATHS ${STARPU_INCLUDE_DIRS} NO_DEFAULT_PATH NO_CACHE)
file(STRINGS ${starpu_config_header} starpu_uses REGEX "^#define STARPU_USE_(CUDA|OPENCL|FXT|MPI) 1")
foreach(feature CUDA OPENCL FXT MPI)
    set(QCD_STARPU_${feature} OFF)
    if("${starpu_uses}" MATCHES "STARPU_USE_${feature} ")
        set(QCD_STARPU_${feature} ON)
    endif()
endforeach()

set(QCD_WITH_OPENCL ${QCD_STARPU_OPENCL})
if(QCD_WITH_OPENCL)
    find_package(OpenCL QUIET)
    qcd_need(OpenCL_FOUND ocl-icd-opencl-dev)
    qcd_stop_if_missing()
endif()
add_compile_definitions(CL_TARGET_OPENCL_VERSION=120) # StarPU's header would ask for 1.0

# ---- CUDA
find_program(QCD_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
set(QCD_WITH_CUDA OFF)
set(cuda_codelets OFF)
if(NOT QCD_CUDA STREQUAL "OFF" AND QCD_NVCC AND QCD_STARPU_CUDA)
    set(QCD_WITH_CUDA ON)
elseif(QCD_CUDA STREQUAL "ON")
    message(FATAL_ERROR "QCD_CUDA=ON, but nvcc is '${QCD_NVCC}' and CUDA in StarPU is ${QCD_STARPU_CUDA}")
endif()
if(QCD_WITH_CUDA)
    # From 80 on; each further one takes as long again to build. In the cache, like the environment's in CMake itself:
    # a configuration that make or ninja starts later knows it still.
    set(architectures 90)
    if(NOT "$ENV{CUDAARCHS}" STREQUAL "")
        set(architectures "$ENV{CUDAARCHS}")
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING "Compute capabilities of the GPUs, such as 80;90")
    set(cuda_codelets "for ${CMAKE_CUDA_ARCHITECTURES}")
    set(QCD_LEAST_CUDA 999) # a device below it has no kernels in this build
    foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
        string(REGEX MATCH "^[0-9]+" number "${architecture}")
        if(NOT number OR number LESS 80)
            message(FATAL_ERROR "CUDA architecture ${architecture}: give compute capabilities from 80 on, such as 80;90")
        endif()
        if(number LESS QCD_LEAST_CUDA)
            set(QCD_LEAST_CUDA ${number})
        endif()
    endforeach()
    set(CMAKE_CUDA_COMPILER ${QCD_NVCC})
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) # one runtime per process: StarPU's
    set(CMAKE_CUDA_STANDARD 20)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    add_compile_definitions(QCD_WITH_CUDA)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
        set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20) # CMake 3.25 does not know it
    endif()
    add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-lineinfo;-Xcompiler=-ffp-contract=off,-Wall,-Wextra,-Wno-unused-parameter>")
    if(QCD_WERROR)
        add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Werror>")
    endif()
endif()

message(STATUS "StarPU ${STARPU_VERSION} in ${STARPU_PREFIX}: CUDA ${QCD_STARPU_CUDA}, OpenCL ${QCD_STARPU_OPENCL}, "
               "FxT ${QCD_STARPU_FXT}, MPI ${QCD_STARPU_MPI}; CUDA codelets ${cuda_codelets}")
