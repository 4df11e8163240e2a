# Writes OUT, a source with the pages of docs that --explain reads: cmake -DDOCS=... -DOUT=... -P pages.cmake
set(text "#include \"postproc/view/pages.h\"\n\nnamespace andes::postproc {\n")
foreach(page metrics rules)
  file(READ ${DOCS}/${page}.md content)
  string(APPEND text "\nconst std::string_view ${page}_page = R\"page(${content})page\";\n")
endforeach()
file(WRITE ${OUT} "${text}\n} // namespace andes::postproc\n")
