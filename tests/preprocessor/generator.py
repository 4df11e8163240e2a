"""Random C programs, for comparing what they do with and without probes. A file holds many cases;
each case is a few functions of random shapes that call one another, and prints a line with a hash of
all that it computed and of the order in which it did so.

Everything is computed in `unsigned`, indices are masked, calls with effects stand alone in their
expressions, and every loop and every function burns fuel: programs end, and their behaviour is
defined. Functions count their visits under the name that andes gives them (SEEN).

A shape is a method `shape_*` that writes one function, as lines, and says how it is called; a
statement is a method `do_*`. Those that need more than C89 look at the features first. C++ adds its
own in generator_cxx.py; disguise.py changes how the text looks, never what it means."""
import random

HARNESS = """\
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SEEN(k) ++seen_[k]
static unsigned hash_, scratch_, table_[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int fuel_;
static unsigned seen_[@seen@ + 1];
static jmp_buf *back_;
static void mix(unsigned x) { hash_ = (hash_ ^ x) * 16777619u; }
static int burn(void) { return --fuel_ < 0; }
static __inline__ void clean_(unsigned *held) { mix(*held + 77u); }
typedef unsigned binary(unsigned a, unsigned b);
typedef struct { unsigned x, y; char c[20]; } pair_t;
typedef enum { RED, GREEN = 5 } colour_t;
#define FUNCTION(name) static unsigned name(unsigned a, unsigned b)
#define BODY(name, k) FUNCTION(name) { SEEN(k); mix(a); return a + b; }
#define START(name, k) FUNCTION(name) { unsigned r = a; SEEN(k);
#define OPEN {
#define CLOSE }
#define FINISH return r; }
#define REPEAT(i, n) for (i = 0; i < (n) && !burn(); ++i)
"""
FOOTER = """
int main(int argc, char **argv)
{
  unsigned i;
  (void)back_, (void)scratch_, (void)table_[0], (void)argv;
@calls@
  for (i = 0; argc > 1 && i < @seen@; ++i) printf("seen %s %u\\n", names_[i], seen_[i]);
  return 0;
}
"""


class Features:
    """What a file may use: the year of its standard, and whether GNU's extensions."""

    def __init__(self, standard):
        self.standard = standard
        self.gnu = standard.startswith("gnu")
        self.cxx = "++" in standard
        year = int({"2x": "23", "2b": "23", "2c": "26"}.get(standard[-2:], standard[-2:]))
        self.year = 1900 + year if year > 80 else 2000 + year


class Program:
    def __init__(self, seed, features):
        self.random = random.Random(f"{seed} {features.cxx}")
        self.features = features
        self.names = []   # by the number of their SEEN
        self.calls = []   # of the case: expressions with {0} and {1} for arguments
        self.count = 0

    # ---- small pieces

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def fresh(self, prefix="f"):
        self.count += 1
        return f"{prefix}{self.count}"

    def seen(self, name):
        self.names.append(name)
        return f"SEEN({len(self.names) - 1});"

    def expression(self, variables, depth=2):
        """Without effects."""
        if depth <= 0 or self.chance(0.2):
            return self.pick(*variables, f"{self.random.randrange(100)}u", "hash_")
        left, right = self.expression(variables, depth - 1), self.expression(variables, depth - 1)
        return self.pick(
            f"({left} {self.pick(*'+-*^&|')} {right})", f"({left} / ({right} | 1u))", f"(~{left})",
            f"({left} % ({right} % 9u + 1u))", f"({left} << ({right} & 7u))", f"({left} >> ({right} & 7u))",
            f"({left} < {right} ? {right} : {left})", f"((void)({left}), {right})", f"table_[{left} & 7u]",
            f"(unsigned)({left} && {right})", f"(unsigned)(unsigned char){left}", f"(unsigned)!{left}",
            f"({left} & 7u)[table_]", f"(unsigned)sizeof(char[{self.random.randrange(1, 9)}])")

    def call(self, variables):
        """An expression with effects."""
        if not self.calls or self.chance(0.1):
            return f"(mix({self.expression(variables)}), {self.expression(variables)})"
        return self.pick(*self.calls).format(self.expression(variables, 1), self.expression(variables, 1))

    def leave(self, value):
        return f"return {value};"

    # ---- statements: lines of text

    def do_assign(self, variables, depth):
        return [f"{self.pick(*variables)} {self.pick('', '+', '^')}= {self.expression(variables)};"]

    def do_call(self, variables, depth):
        return [f"{self.pick(*variables)} {self.pick('', '+', '^')}= {self.call(variables)};"]

    def do_mix(self, variables, depth):
        return [f"mix({self.expression(variables)});"]

    def do_choice(self, variables, depth):
        cold = self.expression(variables, 1)
        return [f"mix({cold} & 1u ? {self.call(variables)} : ({self.call(variables)}, {cold}));"]

    def do_if(self, variables, depth):
        lines = [f"if ({self.expression(variables)} & 1u) {{", *self.block(variables, depth - 1), "}"]
        if self.chance(0.5):
            lines += ["else {", *self.block(variables, depth - 1), "}"]
        elif self.chance(0.3):
            lines = [f"if ({self.call(variables)} & 2u)", f"  mix({self.pick(*variables)});", "else", "  mix(7);"]
        return lines

    def do_loop(self, variables, depth):
        i, n = self.fresh("i"), self.random.randrange(1, 5)
        body = self.block(variables, depth - 1)
        if self.chance(0.2):
            body.append(f"if ({self.expression(variables)} & 1u) {self.pick('break', 'continue')};")
        forms = [[f"for ({i} = 0; {i} < {n}u && !burn(); ++{i}) {{", *body, "}"],
                 [f"{i} = {n};", f"while ({i}-- && !burn()) {{", *body, "}"],
                 [f"{i} = {n};", "do {", *body, f"}} while (--{i} && !burn());"],
                 [f"REPEAT({i}, {n}u) {{", *body, "}"],
                 [f"REPEAT({i}, {n}u)", f"mix({i});"],
                 [f"{i} = {n};", "for (;;) {", f"if (burn() || !{i}--) break;", *body, "}"]]
        if self.features.year >= 1999:
            forms.append([f"for (unsigned {i}_ = 0; {i}_ < {n}u && !burn(); ++{i}_) {{", *body, "}"])
        return ["{", f"unsigned {i} = 0;", *self.pick(*forms), f"mix({i});", "}"]

    def do_switch(self, variables, depth):
        lines = [f"switch ({self.expression(variables)} % 5u) {{"]
        for value in range(self.random.randrange(1, 5)):
            lines += [f"case {value}: {{", *self.block(variables, depth - 1), "}"]
            lines += self.pick([], ["break;"], ["/* fall through */"])
        if self.features.gnu and self.chance(0.3):
            lines += ["case 6 ... 9: break;"]
        return [*lines, "default:", f"mix({self.pick(*variables)});", "}"]

    def do_goto(self, variables, depth):
        label, test = self.fresh("label"), self.expression(variables)
        inner = ["{", *self.block(variables, depth - 1), "}"]
        return self.pick([f"if ({test} & 1u) goto {label};", *inner, f"{label}: mix(1);"],
                         [f"{label}:", *inner, f"if (!burn() && (fuel_ & 3)) goto {label};"],
                         ["{", f"if ({test} & 4u) goto {label};", *inner, f"{label}:;", "}"])

    def do_return(self, variables, depth):
        value = self.pick(self.expression(variables), self.call(variables))
        return [f"if ({self.expression(variables)} % 3u == 1u) {self.leave(value)}"]

    def do_duff(self, variables, depth):
        n = self.fresh("n")
        return ["{", f"unsigned {n} = {self.expression(variables)} & 7u;", f"switch ({n} & 3u) {{",
                f"case 0: do {{ mix({self.pick(*variables)});", "/* fall through */", "case 3: mix(3);",
                "/* fall through */", f"case 2: {self.pick(*variables)} += 2;", "/* fall through */",
                f"case 1: ; }} while ({n} > 3u && (({n} -= 4u), !burn()));", "}", "}"]

    def do_static(self, variables, depth):
        name = self.fresh("kept")
        return ["{", f"static unsigned {name} = 5;", f"{name} += {self.pick(*variables)};", f"mix({name});", "}"]

    def do_directive(self, variables, depth):
        """Branches of the preprocessor inside a body, those not taken with half a block."""
        return ["#if 0", "} { ((", "#elif defined(FUNCTION)", *self.block(variables, depth - 1), "#else", "} {", "#endif"]

    def do_macro_block(self, variables, depth):
        return [f"if ({self.expression(variables)} & 1u) OPEN", *self.block(variables, depth - 1), "CLOSE"]

    def do_statement_expression(self, variables, depth):
        if not self.features.gnu:
            return self.do_mix(variables, depth)
        t = self.fresh("t")
        return [f"{self.pick(*variables)} = __extension__ ({{ unsigned {t} = {self.call(variables)};",
                *self.block([*variables, t], depth - 1), f"{t}; }});"]

    def do_variable_array(self, variables, depth):
        if not self.features.gnu or self.features.cxx:
            return self.do_assign(variables, depth)
        n, array = self.fresh("n"), self.fresh("array")
        return ["{", f"unsigned {n} = ({self.expression(variables)} & 7u) + 1u;", f"unsigned {array}[{n}];",
                f"memset({array}, 1, sizeof {array});", *self.block([*variables, f"{array}[{n} - 1u]"], depth - 1),
                f"mix({array}[0]);", "}"]

    def do_cleanup(self, variables, depth):
        name = self.fresh("held")
        return ["{", f"__attribute__((cleanup(clean_))) unsigned {name} = {self.pick(*variables)};",
                *self.block([*variables, name], depth - 1), "}"]

    def do_local_label(self, variables, depth):
        if not self.features.gnu:
            return self.do_goto(variables, depth)
        return ["{", "__label__ out;", *self.block(variables, depth - 1), f"if ({self.pick(*variables)} & 1u) goto out;",
                "mix(2);", "out:;", "}"]

    def block(self, variables, depth):
        lines, variables = [], list(variables)
        kinds = ([getattr(self, name) for name in sorted(dir(self)) if name.startswith("do_")] if depth > 0 else
                 [self.do_assign, self.do_mix, self.do_call, self.do_return])
        for _ in range(self.random.randrange(0 if depth < 1 else 1, 4)):
            if self.chance(0.2):
                name = self.fresh("v")
                lines.append(f"unsigned {name} = {self.expression(variables)};")
                variables.append(name)
            lines += self.pick(*kinds)(variables, depth)
        return lines

    def body(self, name, variables=("a", "b"), depth=None):
        """What stands between the braces of a function."""
        self.outer = list(variables)
        return ["unsigned r = 1;", self.seen(name), f"if (burn()) {self.leave(self.pick(*variables))}",
                f"r = {self.pick(*variables)};",
                *self.block([*variables, "r"], self.random.randrange(4) if depth is None else depth),
                "mix(r);", self.leave(self.pick("r", self.call([*variables, "r"])))]

    def braces(self, head, body):
        return [head + self.pick(" {", "\n{", " /* { */ {", "{", "\n\n   {   "), *body, self.pick("}", "  }", "} /* } */")]

    # ---- shapes: lines, and how the function is called

    def shape_plain(self):
        name = self.fresh()
        parameters = "(unsigned a, unsigned b)"
        head = self.pick(f"static unsigned {name}{parameters}", f"static unsigned ({name}){parameters}",
                         f"FUNCTION({name})", f"__attribute__((noinline)) static unsigned {name}{parameters}",
                         f"static __inline__ unsigned {name}{parameters}",
                         f"static __inline__ __attribute__((always_inline)) unsigned {name}{parameters}",
                         f"unsigned {name}{parameters}; unsigned {name}{parameters}",
                         f"static binary {name}; static unsigned {name}{parameters}",
                         f"static unsigned\n{name}(unsigned a,\n  unsigned b)",
                         f"__attribute__((unused)) __attribute__((cold)) unsigned static {name}{parameters}")
        return self.braces(head, self.body(name)), name + "({0}, {1})"

    def shape_one_line(self):
        name = self.fresh()
        return [f"static unsigned {name}(unsigned a, unsigned b) {{ {self.seen(name)} mix(b); return a ^ b; }}"], name + "({0}, {1})"

    def shape_two_on_a_line(self):
        one, two = self.fresh(), self.fresh()
        return [f"static unsigned {one}(unsigned a) {{ {self.seen(one)} mix(a); return a; }} static unsigned {two}(unsigned b)"
                f" {{ {self.seen(two)} return {one}(b) + 1u; }}"], two + "({1} + {0})"

    def shape_old_style(self):
        name = self.fresh()
        if self.features.cxx or self.features.year >= 2023:
            return self.shape_plain()
        return self.braces(f"static unsigned {name}(a, b)\n  unsigned a; unsigned b;", self.body(name)), name + "({0}, {1})"

    def shape_of_macros(self):
        name = self.fresh()
        self.names.append(name)
        k = len(self.names) - 1
        if self.chance(0.4):
            return [f"BODY({name}, {k})"], name + "({0}, {1})"
        if self.chance(0.5):
            return [f"START({name}, {k})", *self.block(["a", "b", "r"], 2), "FINISH"], name + "({0}, {1})"
        return [f"FUNCTION({name}) OPEN unsigned r = b; SEEN({k});", *self.block(["a", "b", "r"], 2), "FINISH"], name + "({0}, {1})"

    def shape_void(self):
        name, leave = self.fresh(), self.leave
        self.leave = lambda value: f"{{ *out = {value}; return; }}"
        body = self.body(name)
        self.leave = leave
        return (self.braces(f"static void {name}(unsigned a, unsigned b, unsigned *out)", body),
                f"({name}({{0}}, {{1}}, &scratch_), scratch_)")

    def shape_empty(self):
        name = self.fresh()
        return [f"static void {name}(void) {self.pick('{}', '{ }', '{;}', '{' + chr(10) + '}', '{ return; }')}"], f"({name}(), {{0}})"

    def shape_variadic(self):
        name = self.fresh()
        body = ["unsigned r = 0;", "va_list list;", self.seen(name), "va_start(list, n);",
                "while (n-- > 0 && !burn()) r += va_arg(list, unsigned);", "va_end(list);", "return r;"]
        return self.braces(f"static unsigned {name}(int n, ...)", body), name + "(2, {0}, {1})"

    def shape_pointer_to_function(self):
        name, inner = self.fresh(), self.fresh()
        return [f"FUNCTION({inner}) {{ {self.seen(inner)} return a - b; }}",
                *self.braces(f"static unsigned (*{name}(unsigned a, unsigned (*p)[3]))(unsigned, unsigned)",
                             [self.seen(name), "mix(a + (p != 0));", f"return {inner};"])], f"{name}({{1}}, 0)({{0}}, {{1}})"

    def shape_struct(self):
        name, leave = self.fresh(), self.leave
        variable = self.fresh("w")
        self.leave = lambda value: f"{{ pair_t {variable}; memset(&{variable}, 0, sizeof {variable}); {variable}.y = {value}; return {variable}; }}"
        body = self.body(name)
        self.leave = leave
        return self.braces(f"static pair_t {name}(unsigned a, unsigned b)", body), name + "({0}, {1}).y"

    def shape_recursion(self):
        name = self.fresh()
        again = self.pick(f"return {name}(a >> 1, b) + r;", f"return {name}(a >> 1, b + r);",
                          f"return b & 1u ? {name}(a >> 2, b) : ({name}(a >> 1, r) | {name}(a >> 3, 1u));",
                          f"r = {name}(a >> 1, b); return r;")
        return self.braces(f"static unsigned {name}(unsigned a, unsigned b)",
                           ["unsigned r = b;", self.seen(name), "if (burn() || a < 2u) return b;",
                            *self.block(["b", "r"], 1), again]), name + "({0} & 255u, {1})"

    def shape_mutual(self):
        one, two = self.fresh(), self.fresh()
        return [f"static binary {two};",
                f"FUNCTION({one}) {{ {self.seen(one)} mix(a); if (a < 3u || burn()) return b; return {two}(a - 3u, b ^ a); }}",
                f"FUNCTION({two}) {{ {self.seen(two)} if (burn()) return 1u; return a & 1u ? {one}(a >> 1, b) : {one}(a / 3u, b); }}"
                ], one + "({0} & 127u, {1})"

    def shape_jump(self):
        """longjmp over frames with probes."""
        name, thrower, between = self.fresh(), self.fresh(), self.fresh()
        return [f"static void {thrower}(unsigned a) {{ {self.seen(thrower)} mix(a); if (a & 1u) longjmp(*back_, 3); }}",
                *self.braces(f"static unsigned {between}(unsigned a, unsigned b)",
                             [self.seen(between), f"{thrower}(a);", *self.block(["a", "b"], 1), f"{thrower}(b);", "return a;"]),
                *self.braces(f"static unsigned {name}(unsigned a, unsigned b)",
                             ["jmp_buf here, *volatile saved = back_;", "volatile unsigned r = a;", "volatile int tries = 0;",
                              self.seen(name), "back_ = &here;",
                              f"if (setjmp(here)) r += 5u; else r ^= {between}(r, b);",
                              f"if (tries++ < 2 && !burn()) {{ r += 1u; {thrower}(r); }}",
                              "back_ = saved;", "return r;"])], name + "({0}, {1})"

    def shape_computed_goto(self):
        name = self.fresh()
        if not self.features.gnu:
            return self.shape_plain()
        labels = [self.fresh("label") for _ in range(3)]
        lines = ["unsigned r = a;", self.seen(name),
                 f"static void *const where[] = {{{', '.join('&&' + one for one in labels)}}};", "goto *where[b % 3u];"]
        for one in labels:
            lines += [f"{one}: r = r * 3u + {self.random.randrange(9)}u; mix(r);",
                      "if (burn() || r % 5u == 0) goto done;", f"goto *where[r % 3u];"]
        return self.braces(f"static unsigned {name}(unsigned a, unsigned b)", [*lines, "done:", "return r;"]), name + "({0}, {1})"

    def shape_interpreter(self):
        """Operations that jump from one to the next by tail calls."""
        one, two, table = self.fresh(), self.fresh(), self.fresh("ops")
        step = "if (burn()) return b; return {}[b & 1u](a >> 1, b + a);"
        return [f"static binary {one}, {two};", f"static binary *const {table}[] = {{{one}, {two}}};",
                f"FUNCTION({one}) {{ {self.seen(one)} mix(b); {step.format(table)} }}",
                f"FUNCTION({two}) {{ {self.seen(two)} if (a == 0) return b; {step.format(table)} }}"], one + "({0}, {1})"

    def shape_loops(self):
        """Nothing but nested loops."""
        name = self.fresh()
        return self.braces(f"FUNCTION({name})", [
            "unsigned i = 0, j, k, r = 0;", self.seen(name), "for (; i < (a & 3u); ++i) for (j = 0; j < (b & 3u); ++j)",
            "{ k = 3; while (k--) if ((r += i ^ j) & 8u) goto next; else mix(k);", "next: continue; }", "do r++; while (r & 1u);",
            "return r;"]), name + "({0}, {1})"

    def shape_types(self):
        """Vectors, complex numbers and long doubles in and out."""
        name = self.fresh()
        gnu_c = self.features.gnu and not self.features.cxx
        if gnu_c and self.chance(0.3):
            four = self.fresh("four")
            return [f"typedef unsigned {four} __attribute__((vector_size(16)));",
                    f"static {four} {name}({four} a, unsigned b) {{ {self.seen(name)} a[b & 3u] += b; return a; }}"
                    ], name + "((" + four + "){{{0}, 1, 2, 3}}, {1})[0]"
        number = self.fresh("number")
        return [f"typedef {self.pick('long double', 'double', 'float', *['_Complex double'] * gnu_c)} {number};",
                f"static {number} {name}({number} a, {number} b) {{ {self.seen(name)} return a + b; }}"
                ], f"(unsigned)(long){name}(({number})({{0}} & 7u), ({number})({{1}} & 3u))"

    def shape_modern(self):
        """C99 and later: compound literals, array parameters, _Generic, restrict."""
        name = self.fresh()
        if self.features.cxx or self.features.year < 2011:
            return self.shape_plain()
        return self.braces(f"static unsigned {name}(unsigned a, unsigned b[const restrict static 2])",
                           [self.seen(name), "_Static_assert(sizeof(a) == 4, \"\");", "pair_t p = {.y = a, .c = {[3] = 1}};",
                            "for (int i = 0; i < 2; ++i) p.x += b[i];", "mix(_Generic(a, unsigned: p.x, default: 1u));",
                            "return (pair_t){.x = p.x + p.y, 3}.x;"]), name + "({0}, (unsigned[]){{{1}, 4}})"

    def shape_alias(self):
        name = self.fresh()
        label = self.pick("", f' __asm__("{name}_in_assembler")', " __attribute__((weak))", ' __attribute__((visibility("hidden")))')
        return [f"unsigned {name}(unsigned a, unsigned b){label};", *self.braces(f"unsigned {name}(unsigned a, unsigned b)", self.body(name))], name + "({0}, {1})"

    # ---- the file

    def case(self):
        """One case: its functions, and the one that runs it."""
        name, lines = self.fresh("case"), []
        self.calls = []
        kinds = [getattr(self, one) for one in sorted(dir(self)) if one.startswith("shape_")]
        for _ in range(self.random.randrange(2, 7)):
            text, call = self.pick(*kinds)()
            lines += [*text, self.pick("", "", "/* } */", "#if 0\n{\n#endif")]
            self.calls.append(call)
        lines += [f"static void {name}(void) {{ fuel_ = 300; hash_ = 1;",
                  *(f"  mix({call.format(str(i * 7 + 3) + 'u', str(i * 5 + 2) + 'u')});" for i, call in enumerate(self.calls)),
                  f'  printf("{name} %08x %d\\n", hash_, fuel_); }}']
        return name, lines


def cases_of(program, count):
    return [program.case() for _ in range(count)]


def whole(program, cases, harness=HARNESS, header=0):
    """The text of a file that runs these cases, and that of its header with the first `header` of them."""
    parts = ["\n".join(line for _, text in some for line in [*text, ""]) for some in (cases[:header], cases[header:])]
    lines = [harness.replace("@seen@", str(len(program.names)))]
    if header:
        lines.append('#include "cases.h"')
    names = ", ".join(f'"{name}"' for name in [*program.names, ""])
    lines += [parts[1], f"static const char *const names_[] = {{{names}}};"]
    calls = "\n".join(f"  {name}();" for name, _ in cases)
    footer = FOOTER.replace("@calls@", calls).replace("@seen@", str(len(program.names)))
    return "\n".join(lines) + footer, "#pragma once\n" + parts[0]
