# qcd_add_operations(LIBRARY OPENCL_TEXT name OPENCL_HEADERS file...)
#   The operations of the folder that calls this: a subfolder each, with codelet.cpp and
#     kernel.cpp              the loop for cores and the kernel for CUDA, in one; or
#     cpu.cpp, kernel.cuh     each by itself; without, that kind of worker has no kernel
#     kernel.cl               for OpenCL; without, it has none
#   codelet.cpp says the family that it is of (codelets/registration.hpp), and codelets/variants.hpp in which precisions
#   and storages of links a family is compiled: both are read here.
#   LIBRARY gets their codelets and kernels, the OpenCL text qcd_opencl_NAME, in which OPENCL_HEADERS come first (every
#   header is embedded once, where it is first named), and operations_of_LIBRARY(): all of them (as
#   codelets/all_operations.hpp).
#
# Kernels for cores are compiled once per precision, storage of links and instruction set, all operations together
# (unity): they share the site headers and nothing else. So are CUDA's, because nvcc starts slowly.

set(QCD_FLAGS_generic "")
set(QCD_FLAGS_avx2 -mavx2 -mfma)
set(QCD_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512)
# Scheduling before registers are given out makes a hop 3-5% faster; clang does it unasked.
set(QCD_OPTIMIZED "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(QCD_OPTIMIZED -fschedule-insns -fsched-pressure)
endif()
# Where a hop need not be fast it compiles in a third of the time: in the one true residual of a single solution,
# and with sanitizers. g++ ends AVX code with vzeroupper only among its expensive optimizations, which -O1 leaves out:
# without it all SSE code that follows runs at a twentieth of its speed. (And at -O1 it does not see that a loop over
# the lanes of a register sets all of them.)
set(QCD_OPTIMIZED_LITTLE -DQCD_COMPACT $<$<CONFIG:Release>:-O1>
            "$<$<CXX_COMPILER_ID:GNU>:-fexpensive-optimizations;-Wno-maybe-uninitialized>")
set(QCD_NEED_NOT_BE_FAST f32_in_f64 f16_in_f64 generic) # generic: cores without AVX2, of before 2013
if(QCD_SANITIZE)
    list(APPEND QCD_NEED_NOT_BE_FAST f64 f32 f16)
    set(QCD_FLAGS_generic -mfma) # without it each of a kernel's fma is a call
endif()

# QCD_FAMILIES, and of each QCD_VARIANTS_<family>: PRECISION_LINKS, as f32_in_f64_18.
set(QCD_VARIANTS_FILE ${CMAKE_CURRENT_LIST_DIR}/../codelets/variants.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${QCD_VARIANTS_FILE})
set(QCD_FAMILIES "")
file(READ ${QCD_VARIANTS_FILE} text)
string(REGEX MATCHALL "#define QCD_VARIANTS_[a-z_]+|QCD_VARIANTS_[a-z_]+\\(X, op\\)|X\\(op, [a-z0-9_]+, [0-9]+\\)" words "${text}")
foreach(word IN LISTS words)
    if(word MATCHES "^#define QCD_VARIANTS_(.+)")
        set(family ${CMAKE_MATCH_1})
        list(APPEND QCD_FAMILIES ${family})
        set(QCD_VARIANTS_${family} "")
    elseif(word MATCHES "^QCD_VARIANTS_(.+)\\(X, op\\)")
        list(APPEND QCD_VARIANTS_${family} ${QCD_VARIANTS_${CMAKE_MATCH_1}})
    elseif(word MATCHES "^X\\(op, (.+), (.+)\\)")
        list(APPEND QCD_VARIANTS_${family} ${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
    endif()
endforeach()

# Writes `text` where it differs: what is newer is compiled again.
function(qcd_write file text)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

# Of the operations, those that have one of these files, as NAME/FILE.
function(qcd_files_of result operations)
    set(found "")
    foreach(op IN LISTS operations)
        foreach(file IN LISTS ARGN)
            if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${op}/${file})
                list(APPEND found ${op}/${file})
            endif()
        endforeach()
    endforeach()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

# `#include` lines of the files, from the project's root.
function(qcd_includes result files)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    set(text "")
    foreach(file IN LISTS files)
        string(APPEND text "#include \"${folder}/${file}\"\n")
    endforeach()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Kernels of one variant.
function(qcd_add_kernels library variant operations)
    if(QCD_SIMULATOR) # none runs
        return()
    endif()
    string(REGEX REPLACE "_[0-9]+$" "" precision ${variant})
    string(REGEX REPLACE ".*_" "" links ${variant})
    set(macros QCD_PRECISION=${precision} QCD_LINK_ROWS=${links})
    set(name ${library}_${variant})
    qcd_files_of(cpu "${operations}" kernel.cpp cpu.cpp)
    foreach(isa IN LISTS QCD_INSTRUCTION_SETS)
        if(NOT cpu)
            break()
        endif()
        set(optimization ${QCD_OPTIMIZED})
        if(precision IN_LIST QCD_NEED_NOT_BE_FAST OR isa IN_LIST QCD_NEED_NOT_BE_FAST)
            set(optimization ${QCD_OPTIMIZED_LITTLE})
        endif()
        set(target ${name}_${isa})
        add_library(${target} OBJECT ${cpu})
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_definitions(${target} PRIVATE ${macros})
        # g++ 12 makes fmaddsub of a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re when it vectorises straight-line code,
        # -ffp-contract=off or not: other bits than elsewhere. The kernels are vectors already.
        # Arguments of SIMD type never leave an inlined function: no ABI question (-Wno-psabi). One signature
        # serves all operations, so some leave an argument unused.
        target_compile_options(${target} PRIVATE ${QCD_FLAGS_${isa}} -Wno-psabi -Wno-unused-parameter
                               -fno-tree-slp-vectorize ${optimization} ${QCD_NOT_COUNTED})
        target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)
    endforeach()
    if(NOT QCD_WITH_CUDA)
        return()
    endif()
    qcd_files_of(cuda "${operations}" kernel.cpp kernel.cuh)
    qcd_includes(text "${cuda}")
    qcd_write(${CMAKE_CURRENT_BINARY_DIR}/${name}.cu "${text}")
    if(cuda)
        set(target ${name}_cuda)
        add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cu)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_definitions(${target} PRIVATE ${macros})
        target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)
    endif()
endfunction()

# The text of all OpenCL kernels, of which a program (registration.cpp) has a part. Headers stand where they are first
# named, so families of more variants come first: OPERATIONS_<family> of the caller.
function(qcd_add_opencl_text library name headers)
    set(text "")
    foreach(header IN LISTS headers)
        string(APPEND text "#include \"${header}\"\n")
    endforeach()
    foreach(family half_links links half_fields fields mixed scalars)
        qcd_files_of(files "${OPERATIONS_${family}}" kernel.cl)
        if(NOT files)
            continue()
        endif()
        qcd_includes(kernels "${files}")
        set(programs ${QCD_VARIANTS_${family}})
        if(family STREQUAL "scalars")
            set(programs SCALARS)
        endif()
        list(TRANSFORM programs REPLACE "(.+)" "defined(QCD_PROGRAM_\\1)")
        list(JOIN programs " || " condition)
        string(APPEND text "#if ${condition}\n${kernels}#endif\n")
    endforeach()
    qcd_write(${CMAKE_CURRENT_BINARY_DIR}/${name}.cl "${text}")
    qcd_embed_opencl(${library} ${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}.cl)
endfunction()

# Registration, told which kernels there are.
function(qcd_add_codelet library opencl_text op)
    set(has "")
    qcd_files_of(cpu ${op} kernel.cpp cpu.cpp)
    qcd_files_of(cuda ${op} kernel.cpp kernel.cuh)
    qcd_files_of(opencl ${op} kernel.cl)
    if(cpu)
        list(APPEND has QCD_HAS_CPU)
    endif()
    if(cuda AND (QCD_WITH_CUDA OR QCD_SIMULATOR))
        list(APPEND has QCD_HAS_CUDA)
    endif()
    if(opencl AND QCD_WITH_OPENCL)
        list(APPEND has QCD_HAS_OPENCL=qcd_opencl_${opencl_text})
    endif()
    if(opencl AND QCD_SIMULATOR)
        list(APPEND has QCD_HAS_OPENCL)
    endif()
    if(QCD_SIMULATOR)
        list(APPEND has QCD_SIMULATOR)
    endif()
    target_sources(${library} PRIVATE ${op}/codelet.cpp)
    set_source_files_properties(${op}/codelet.cpp PROPERTIES COMPILE_DEFINITIONS "${has}" SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

function(qcd_add_operations library)
    cmake_parse_arguments(PARSE_ARGV 1 T "" "OPENCL_TEXT" "OPENCL_HEADERS")
    file(GLOB folders RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS */codelet.cpp)
    set(headers "")
    set(calls "")
    set(variants "")
    foreach(family IN LISTS QCD_FAMILIES)
        set(OPERATIONS_${family} "")
    endforeach()
    foreach(file IN LISTS folders)
        get_filename_component(op ${file} DIRECTORY)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        file(READ ${file} text)
        string(REGEX MATCHALL "QCD_(SCALAR_START|SCALAR_STEP|LADDER_OPERATION|OPERATION)\\([ \n]*[a-z0-9_]+" registered "${text}")
        foreach(registration IN LISTS registered)
            set(codelets "")
            string(REGEX MATCH "[a-z0-9_]+$" name "${registration}") # of a family or an operation
            if(registration MATCHES "^QCD_SCALAR")
                set(family scalars)
                set(codelets "&${name}_codelets().alone, &${name}_codelets().linked")
            elseif(registration MATCHES "^QCD_LADDER")
                set(family fields)
                set(codelets "&${op}_codelet(Precision::f64)")
            elseif(name IN_LIST QCD_FAMILIES)
                set(family ${name})
                list(GET QCD_VARIANTS_${family} 0 variant)
                string(REGEX REPLACE "_(in_f64_)?[0-9]+$" "" precision ${variant})
                set(codelets "&${op}_codelet(Precision::${precision})")
                if(family STREQUAL "scalars")
                    set(codelets "&${op}_codelet()")
                endif()
            endif()
            if(NOT codelets)
                message(FATAL_ERROR "${file}: ${registration}: no family of codelets/variants.hpp")
            endif()
            string(APPEND calls "        ${codelets},\n")
            list(APPEND OPERATIONS_${family} ${op})
        endforeach()
        if(NOT registered)
            message(FATAL_ERROR "${file} registers no operation")
        endif()
        list(REMOVE_DUPLICATES OPERATIONS_${family})
        list(APPEND variants ${QCD_VARIANTS_${family}})
        list(APPEND headers ${op}/${op}.hpp)
        qcd_add_codelet(${library} ${T_OPENCL_TEXT} ${op})
    endforeach()
    list(REMOVE_DUPLICATES variants)
    foreach(variant IN LISTS variants)
        set(operations "")
        foreach(family IN LISTS QCD_FAMILIES)
            if(variant IN_LIST QCD_VARIANTS_${family})
                list(APPEND operations ${OPERATIONS_${family}})
            endif()
        endforeach()
        qcd_add_kernels(${library} ${variant} "${operations}")
    endforeach()
    if(QCD_WITH_OPENCL)
        qcd_add_opencl_text(${library} ${T_OPENCL_TEXT} "${T_OPENCL_HEADERS}")
    endif()
    qcd_includes(includes "${headers}")
    qcd_write(${CMAKE_CURRENT_BINARY_DIR}/operations.cpp "${includes}
std::vector<const qcd::Codelet*> operations_of_${library}()
{
    using namespace qcd;
    return {
${calls}    };
}
")
    target_sources(${library} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/operations.cpp)
endfunction()
