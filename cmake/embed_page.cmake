# cmake -DFILE= -DOUTPUT= -DMARKERS= -P embed_page.cmake: see QcdPage.cmake.
cmake_minimum_required(VERSION 3.25)

file(READ "${FILE}" page)
string(FIND "${page}" "{{data}}" at)
if(at EQUAL -1)
    message(FATAL_ERROR "${FILE}: no {{data}}")
endif()
string(SUBSTRING "${page}" 0 ${at} before)
math(EXPR at "${at} + 8")
string(SUBSTRING "${page}" ${at} -1 after)
cmake_path(GET FILE PARENT_PATH folder)
foreach(marker IN LISTS MARKERS)
    file(READ "${folder}/${marker}" part)
    string(REPLACE "{{${marker}}}" "${part}" before "${before}")
    string(REPLACE "{{${marker}}}" "${part}" after "${after}")
endforeach()
if("${before}${after}" MATCHES "\\)page\"")
    message(FATAL_ERROR "${FILE}: the text holds the end mark of the string that is to hold it")
endif()
file(WRITE "${OUTPUT}" "// Generated from ${FILE}.
extern const char qcd_page_before_data[], qcd_page_after_data[];
const char qcd_page_before_data[] = R\"page(${before})page\";
const char qcd_page_after_data[] = R\"page(${after})page\";
")
