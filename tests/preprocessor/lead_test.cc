// The leading directives of a source: which lines they are, and where they stand.
#include <catch2/catch.hpp>

#include "preprocessor/lead.h"

using namespace andes::preprocessor;

TEST_CASE("leading directives end with the last inclusion") {
  const std::string source =
      "/* (c)\n * of all */\n#define A 1\n\n  # include <a.h> // why\n#undef A\nint x;\n#include \"b.h\"\n";
  const Lead lead = lead_of(source);
  CHECK(lead.text == "#define A 1\n# include <a.h> // why\n");
  CHECK(lead.end == source.find("#undef"));
  REQUIRE(lead.lines.size() == 2);
  CHECK(lead.lines[0].second == source.find("#define"));
  CHECK(in_source(lead, lead.text.find("<a.h>")) == source.find("<a.h>"));
  CHECK(in_source(lead, 0) == source.find("#define"));
}

TEST_CASE("other comments and blanks make no other directives") {
  CHECK(lead_of("#include <a.h>\n#include <b.h>\nint x;\n").text ==
        lead_of("// one\n\n#include <a.h>\n/* two */ #include <b.h>\n\nint y;\n").text);
}

TEST_CASE("a source without inclusions at its begin has no leading directives") {
  for (const char* source :
       {"", "int x;\n#include <a.h>\n", "#define A 1\nint x;\n", "#if A\n#endif\n", "#pragma once\n#include <a.h>\n",
        "#include <a.h>", "/* #include <a.h>\n", "\"#include\"\n", "\xEF\xBB\xBF#include <a.h>\n",
        "#include_next <a.h>\n", "#import <a.h>\n"})
    CHECK(lead_of(source).end == 0);
}

TEST_CASE("conditions are leading directives, unless they ask for their line") {
  CHECK(lead_of("#ifndef A\n#include <a.h>\nint x;\n#endif\n").text == "#ifndef A\n#include <a.h>\n");
  const std::string whole = "#if A\n#define B\n#elif C\n#include <a.h>\n#else\n#undef B\n#endif\n";
  CHECK(lead_of(whole + "#define D\n#ifdef D\n#endif\nint x;\n").text == whole + "#define D\n#ifdef D\n#endif\n");
  CHECK(lead_of("#include <a.h>\n#if __LINE__ > 1\n#include <b.h>\n#endif\n").text == "#include <a.h>\n");
}

TEST_CASE("common leading directives are whole lines, up to an inclusion") {
  const std::string first = "#define A 1\n#include <a.h>\n";
  CHECK(common_lead(first + "#define B\n#include <b.h>\n", first + "#define B\n#include <b.hpp>\n") == first);
  CHECK(common_lead(first, first + "#include <b.h>\n") == first);
  CHECK(common_lead(first + "#ifdef B\n#endif\n#define C\n", first + "#ifdef B\n#endif\n#undef C\n") ==
        first + "#ifdef B\n#endif\n");
  CHECK(common_lead(first, "#define A 1\n#include <b.h>\n").empty());
  CHECK(common_lead("", first).empty());
}

TEST_CASE("where a beginning of the leading directives ends in the source") {
  const std::string source = "// one\n#include <a.h>\n\n/* two */ #define A\n#include <b.h>\nint x;\n";
  const Lead lead = lead_of(source);
  CHECK(end_of("", lead, source) == 0);
  CHECK(end_of("#include <a.h>\n", lead, source) == source.find("\n/* two"));
  CHECK(end_of(lead.text, lead, source) == lead.end);
  CHECK(!end_of("#include <b.h>\n", lead, source));
  CHECK(!end_of("#include <a.h>", lead, source));
  CHECK(!end_of(lead.text + "#include <c.h>\n", lead, source));
  CHECK(!end_of("#include <a.h>\n", lead, "#include <a.h>\n"));
}

TEST_CASE("lines that may go on are no leading directives") {
  const std::string first = "#include <a.h>\n";
  for (const char* next :
       {"#define A \\\n#include <b.h>\n", "#define A ?\?/\n#include <b.h>\n", "#define A R\"(\n#include <b.h>\n)\"\n",
        "#define A /* one\n#include <b.h>\n*/\n", "// one \\\n#include <b.h>\n", "// one ?\?/\n#include <b.h>\n",
        "#define A \"/*\"\n#include <b.h>\n", "/* one\n#include <b.h>\n"})
    CHECK(lead_of(first + next).text == first);
  CHECK(lead_of(first + "#define A /* one */ 1\n#include <b.h>\n").text ==
        first + "#define A /* one */ 1\n#include <b.h>\n");
}

TEST_CASE("what a source includes by quotes at its begin is known, if nothing else names files") {
  const auto quoted = [](const std::string& source) { return quoted_inclusions(source, lead_of(source)); };
  using Names = std::vector<std::string_view>;
  CHECK(quoted("#include <a.h>\n # include \"b.h\" // why\n#include/**/\"c d.h\"\n#define A \"e.h\"\n"
               "int include = 1; // to include <f.h>\nint embed[] = {1};\n") == Names{"b.h", "c d.h"});
  CHECK(quoted("int x;\n") == Names{});
  CHECK(!quoted("#define A <a.h>\n#include A\n"));
  CHECK(!quoted("#if __has_include(\"a.h\")\n#include <b.h>\n#endif\n"));
  CHECK(quoted("#ifdef A\n#include \"a.h\"\n#endif\n") == Names{"a.h"});
  for (const char* further : {"#include \"b.h\"\n", "# /* one */ include <b.h>\n", "#\\\ninclude \"b.h\"\n",
                              "%:include \"b.h\"\n", "?\?=include \"b.h\"\n", "#if __has_include(\"b.h\")\n#endif\n",
                              "#embed \"b\"\n", "#import \"b.h\"\n", "#include_next <b.h>\n"})
    CHECK(!quoted(std::string("#include <a.h>\nint x;\n") + further));
}
