# qcd_embed_opencl(TARGET NAME FILE): adds to TARGET a generated source that defines
#     extern const char qcd_opencl_NAME[];
# the text of FILE with its `#include "..."` lines (relative to the project root) replaced by the
# files themselves, each once. Nothing is searched on disk at run time.
function(qcd_embed_opencl target name file)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set(script ${PROJECT_SOURCE_DIR}/cmake/embed_opencl.cmake)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/opencl_${name}.cpp)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DNAME=${name} -DFILE=${file}
                -DOUTPUT=${output} -P ${script}
        DEPENDS ${file} ${script}
        DEPFILE ${output}.d
        COMMENT "Embedding OpenCL ${name}"
        VERBATIM)
    set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${output})
endfunction()
