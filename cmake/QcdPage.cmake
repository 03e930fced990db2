# qcd_embed_page(TARGET FILE): adds to TARGET a generated source that defines
#     extern const char qcd_page_before_data[], qcd_page_after_data[];
# the text of FILE, in which each {{NAME}} is replaced by the file NAME of its folder, before and after its {{data}}.
function(qcd_embed_page target file)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set(script ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/page.cpp)
    file(STRINGS ${file} markers REGEX "{{.*}}")
    list(TRANSFORM markers REPLACE ".*{{(.*)}}.*" "\\1")
    list(REMOVE_ITEM markers data)
    cmake_path(GET file PARENT_PATH folder)
    list(TRANSFORM markers PREPEND ${folder}/ OUTPUT_VARIABLE parts)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file}) # it names the parts
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DOUTPUT=${output} "-DMARKERS=${markers}" -P ${script}
        DEPENDS ${file} ${script} ${parts}
        COMMENT "Embedding the page of --report"
        VERBATIM)
    set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${output})
endfunction()
