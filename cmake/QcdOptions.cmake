# What a user can choose, and the compiler flags that follow.

set(QCD_CUDA AUTO CACHE STRING "CUDA codelets: AUTO = when nvcc is there and StarPU has CUDA, ON, OFF")
set(QCD_HDF5 AUTO CACHE STRING "HDF5 files: AUTO = when libhdf5-dev is there, ON, OFF")
foreach(choice QCD_CUDA QCD_HDF5)
    set_property(CACHE ${choice} PROPERTY STRINGS AUTO ON OFF)
    if(NOT ${choice} STREQUAL "AUTO") # any of CMake's words for yes and no
        if(${choice})
            set(${choice} ON)
        else()
            set(${choice} OFF)
        endif()
    endif()
endforeach()
option(QCD_WERROR "Turn compiler warnings into errors" OFF)
if(NOT DEFINED BUILD_TESTING)
    set(BUILD_TESTING ON)
endif()
option(QCD_SIMULATOR "Build qcd_starpu_sim alone, on StarPU's SimGrid, without kernels (./bootstrap simulator)" OFF)
option(QCD_TESTS "Build the tests" ${BUILD_TESTING})
set(QCD_SANITIZE "" CACHE STRING "What to pass to -fsanitize=, for example address,undefined")
set(QCD_DEPS_DIR "$ENV{QCD_DEPS_DIR}" CACHE PATH "Where ./bootstrap puts StarPU")
if(NOT QCD_DEPS_DIR)
    set(QCD_DEPS_DIR ${PROJECT_SOURCE_DIR}/.deps)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, ..." FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Several files of a target are compiled as one, in half the time of as many compilations. OFF is for who edits them.
option(CMAKE_UNITY_BUILD "Compile several files of a target as one" ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
# An installed executable finds StarPU in its private prefix.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
include(GNUInstallDirs)
include_directories(${PROJECT_SOURCE_DIR})

# Contraction is off everywhere: results must have the same bits on every kind of worker. -g1 keeps
# function names in traces and profiles at no cost in speed.
add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>
                    "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra>"
                    "$<$<CONFIG:Release>:$<$<COMPILE_LANGUAGE:C,CXX>:-g1>>")
if(QCD_WERROR)
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()
if(QCD_SANITIZE)
    # The checks of pointers that AddressSanitizer makes better: in the inlined kernels they cost minutes of compilation.
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${QCD_SANITIZE};-fno-sanitize=null,object-size,pointer-overflow>"
                        "$<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
    add_link_options(-fsanitize=${QCD_SANITIZE})
endif()
option(QCD_FUZZERS "Build the fuzzers, by clang's libFuzzer" OFF)
set(QCD_FUZZ_SECONDS 5 CACHE STRING "How long a test of a fuzzer runs")

# Which lines tests run, for gcovr. Kernels are left out: each test of an operation runs all of its kernel.
option(QCD_COVERAGE "Count how often each line of what is not a kernel or a test runs (gcovr)" OFF)
set(QCD_NOT_COUNTED "")
if(QCD_COVERAGE)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fprofile-arcs;-ftest-coverage>")
    add_link_options(--coverage)
    set(QCD_NOT_COUNTED -fno-profile-arcs -fno-test-coverage)
endif()

# What fuzzers find their way through: instrumented for them. All else compiles and runs faster without.
function(qcd_fuzzed library)
    if(QCD_FUZZERS)
        target_compile_options(${library} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
    endif()
endfunction()

# For what runs once, or whose loops are short: of header-only libraries the rest of the optimizations doubles the time
# to compile, and with sanitizers these do, too.
set(QCD_BRIEF $<$<CONFIG:Release>:-O1>)
if(QCD_SANITIZE)
    set(QCD_BRIEF $<$<CONFIG:Release>:-O0>)
endif()

# Kernels for cores are compiled once for each. Sanitizers look at their text, which is one.
set(QCD_INSTRUCTION_SETS generic avx2 avx512)
if(QCD_SANITIZE)
    set(QCD_INSTRUCTION_SETS generic)
    add_compile_definitions(QCD_GENERIC_KERNELS)
endif()
