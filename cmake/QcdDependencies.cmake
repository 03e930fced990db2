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
find_package(PNG QUIET)
qcd_need(PNG_FOUND libpng-dev)
find_package(fmt QUIET)
qcd_need(fmt_FOUND libfmt-dev)
find_package(nlohmann_json QUIET)
qcd_need(nlohmann_json_FOUND nlohmann-json3-dev)
find_package(Boost 1.74 QUIET) # headers alone
qcd_need(Boost_FOUND libboost-math-dev)
find_package(CLI11 QUIET)
qcd_need(CLI11_FOUND libcli11-dev)
# Bounds of runs on several kinds of workers; without it these are not known. No pkg-config file, and Debian's is static:
# it wants COLAMD.
find_path(QCD_LPSOLVE_INCLUDE lpsolve/lp_lib.h)
find_library(QCD_LPSOLVE_LIBRARY NAMES lpsolve55_pic lpsolve55 PATH_SUFFIXES lp_solve)
find_library(QCD_COLAMD_LIBRARY colamd)
mark_as_advanced(QCD_LPSOLVE_INCLUDE QCD_LPSOLVE_LIBRARY QCD_COLAMD_LIBRARY)
set(QCD_LPSOLVE_FOUND OFF)
if(QCD_LPSOLVE_INCLUDE AND QCD_LPSOLVE_LIBRARY)
    set(QCD_LPSOLVE_FOUND ON)
    add_library(qcd_lpsolve INTERFACE)
    target_include_directories(qcd_lpsolve SYSTEM INTERFACE ${QCD_LPSOLVE_INCLUDE})
    target_link_libraries(qcd_lpsolve INTERFACE ${QCD_LPSOLVE_LIBRARY} ${CMAKE_DL_LIBS})
    if(QCD_COLAMD_LIBRARY)
        target_link_libraries(qcd_lpsolve INTERFACE ${QCD_COLAMD_LIBRARY})
    endif()
endif()
if(QCD_TESTS)
    find_package(Catch2 2.13 QUIET)
    qcd_need(Catch2_FOUND "catch2 (2.13 or later, not 3; -DQCD_TESTS=OFF does without)")
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

# ---- HDF5: the archive is linked, not the shared library, which in Debian needs 30 others (curl's).
set(QCD_WITH_HDF5 OFF)
if(NOT QCD_HDF5 STREQUAL "OFF")
    find_path(QCD_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
    find_library(QCD_HDF5_LIBRARY NAMES libhdf5_serial.a libhdf5.a)
    find_library(QCD_HDF5_SHARED NAMES libhdf5_serial.so libhdf5.so)
    find_library(QCD_SZIP_LIBRARY libsz.a)
    find_library(QCD_AEC_LIBRARY libaec.a)
    if(QCD_HDF5_INCLUDE AND QCD_HDF5_LIBRARY AND QCD_HDF5_SHARED AND QCD_SZIP_LIBRARY AND QCD_AEC_LIBRARY)
        set(QCD_WITH_HDF5 ON)
        add_library(qcd_hdf5_archive STATIC IMPORTED) # so that zlib comes after it when programs are linked
        set_target_properties(qcd_hdf5_archive PROPERTIES IMPORTED_LOCATION ${QCD_HDF5_LIBRARY})
        target_link_libraries(qcd_hdf5_archive INTERFACE ${QCD_SZIP_LIBRARY} ${QCD_AEC_LIBRARY} ZLIB::ZLIB ${CMAKE_DL_LIBS} m)
        add_library(qcd_hdf5 INTERFACE)
        target_include_directories(qcd_hdf5 SYSTEM INTERFACE ${QCD_HDF5_INCLUDE})
        # The archive, which needs nothing else, is no position independent code.
        target_link_libraries(qcd_hdf5 INTERFACE
            $<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>,${QCD_HDF5_SHARED},qcd_hdf5_archive>)
    elseif(QCD_HDF5 STREQUAL "ON")
        message(FATAL_ERROR "QCD_HDF5=ON, but the archives libhdf5_serial.a, libsz.a and libaec.a are not all there "
                            "(libhdf5-dev, libaec-dev)")
    else()
        message(STATUS "HDF5 files: not read or written, as libhdf5-dev is not there")
    endif()
endif()

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
# For what is installed: the link line names StarPU's folder by -L, of which CMake makes no install path. The same path
# from the start (BUILD_WITH_INSTALL_RPATH): else CMake pads the build's with colons, and each of them lets a program load
# libraries from the current folder.
set(QCD_STARPU_FOLDERS ${STARPU_LIBRARY_DIRS})
list(REMOVE_ITEM QCD_STARPU_FOLDERS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
find_file(starpu_config_header starpu_config.h PATHS ${STARPU_INCLUDE_DIRS} NO_DEFAULT_PATH NO_CACHE)
file(STRINGS ${starpu_config_header} starpu_uses REGEX "^#define STARPU_USE_(CUDA|OPENCL|FXT|MPI) 1")
foreach(feature CUDA OPENCL FXT MPI)
    set(QCD_STARPU_${feature} OFF)
    if("${starpu_uses}" MATCHES "STARPU_USE_${feature} ")
        set(QCD_STARPU_${feature} ON)
    endif()
endforeach()

file(STRINGS ${starpu_config_header} starpu_has_hwloc REGEX "^#define STARPU_HAVE_HWLOC 1")
if(NOT starpu_has_hwloc)
    message(FATAL_ERROR "StarPU in ${STARPU_PREFIX} was built without hwloc, by which cores are told apart")
endif()

# ---- MPI: what StarPU was built with, for runs of several processes.
set(QCD_WITH_MPI OFF)
if(QCD_STARPU_MPI)
    pkg_check_modules(STARPUMPI QUIET IMPORTED_TARGET starpumpi-1.4)
    find_package(MPI QUIET COMPONENTS C)
    if(STARPUMPI_FOUND AND MPI_C_FOUND)
        set(QCD_WITH_MPI ON)
        add_library(qcd_mpi INTERFACE)
        target_include_directories(qcd_mpi SYSTEM INTERFACE ${STARPUMPI_INCLUDE_DIRS} ${MPI_C_INCLUDE_DIRS})
        target_link_libraries(qcd_mpi INTERFACE PkgConfig::STARPUMPI MPI::MPI_C)
    else()
        message(STATUS "Several nodes: not in this build, as libopenmpi-dev is not there")
    endif()
endif()

set(QCD_WITH_OPENCL ${QCD_STARPU_OPENCL})
if(QCD_WITH_OPENCL)
    find_package(OpenCL QUIET)
    qcd_need(OpenCL_FOUND ocl-icd-opencl-dev)
    qcd_stop_if_missing()
endif()
add_compile_definitions(CL_TARGET_OPENCL_VERSION=120) # StarPU's header would ask for 1.0

# ---- CUDA
if(DEFINED CMAKE_CUDA_COMPILER)
    set(QCD_NVCC ${CMAKE_CUDA_COMPILER})
elseif(NOT "$ENV{CUDACXX}" STREQUAL "")
    set(QCD_NVCC $ENV{CUDACXX})
else() # in the order of scripts/build-starpu: StarPU and the kernels share a runtime
    find_program(QCD_NVCC nvcc PATHS $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
endif()
set(QCD_WITH_CUDA OFF)
if(QCD_CUDA STREQUAL "OFF")
    set(cuda_codelets "switched off")
elseif(NOT QCD_NVCC)
    set(cuda_codelets "none, as there is no nvcc")
else()
    set(cuda_codelets "none, as StarPU has no CUDA")
endif()
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
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
        message(FATAL_ERROR "${QCD_NVCC} is of CUDA ${CMAKE_CUDA_COMPILER_VERSION}, which has no C++20: name one of 12 or "
                            "later (CUDACXX), or do without CUDA codelets (-DQCD_CUDA=OFF)")
    endif()
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
               "FxT ${QCD_STARPU_FXT}, MPI ${QCD_STARPU_MPI}; CUDA codelets ${cuda_codelets}; "
               "lp_solve ${QCD_LPSOLVE_FOUND}")
