# Writes OUT, a source with the pages of docs that --explain reads, and the bundle of the page of HTML:
# cmake -DDOCS=... -DBUNDLE=... -DOUT=... -P pages.cmake
set(text "#include \"postproc/view/pages.h\"\n\nnamespace andes::postproc {\n")
foreach(page metrics rules)
  file(READ ${DOCS}/${page}.md content)
  string(APPEND text "\nconst std::string_view ${page}_page = R\"page(${content})page\";\n")
endforeach()
file(READ ${BUNDLE} content)
string(APPEND text "\nconst std::string_view html_bundle = R\"ANDES-bundle(${content})ANDES-bundle\";\n")
file(WRITE ${OUT} "${text}\n} // namespace andes::postproc\n")
