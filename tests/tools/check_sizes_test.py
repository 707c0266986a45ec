import pathlib
import unittest

import tool

check_sizes = tool.load("check_sizes")


def findings(path: str, text: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.mend) for finding in check_sizes.check_text(pathlib.PurePath(path), text)]


def function(lines: int, head: str = "int F(int x) {") -> str:
    return head + "\n" + "  x += 1;\n" * (lines - 2) + "}\n"


class CheckSizes(unittest.TestCase):
    def test_a_file_may_have_500_lines_and_a_test_800(self):
        self.assertEqual(findings("src/a/b.h", "\n" * 500), [])
        self.assertEqual(len(findings("src/a/b.h", "\n" * 501)), 1)
        self.assertEqual(findings("src/a/b_test.cc", "\n" * 800), [])
        self.assertEqual(len(findings("src/a/b_test.cc", "\n" * 801)), 1)

    def test_a_main_has_at_most_120_lines(self):
        self.assertEqual(len(findings("src/apps/x/main.cc", "\n" * 121)), 1)

    def test_a_function_may_have_60_lines(self):
        self.assertEqual(findings("src/a/b.cc", function(60)), [])
        [(line, mend)] = findings("src/a/b.cc", "int x;\n" + function(61))
        self.assertEqual(line, 2)
        self.assertIn("61 lines", mend)

    def test_functions_are_found_in_namespaces_classes_and_extern_c(self):
        for before in ("namespace a::b {\n", "class A final : public B {\n", "class alignas(32) A {\n",
                       'extern "C" {\n', "enum E { kA };\n"):
            self.assertEqual(len(findings("src/a/b.cc", before + function(61) + "}\n")), 1, before)

    def test_a_long_class_is_no_function(self):
        for head in ("class A {\n", "class alignas(32) A {\n", "struct alignas(8) A : B {\n"):
            self.assertEqual(findings("src/a/b.h", head + "  int x_;\n" * 100 + "};\n"), [], head)

    def test_a_function_is_found_behind_any_head(self):
        for head in ("A::A(int x) : x_{x}, y_(1) {", "auto F() const noexcept -> int {",
                     "TEST(A, Does) {", "template <class T>\nvoid F(T x) {", "bool operator()(int x) {"):
            self.assertEqual(len(findings("src/a/b.cc", function(61, head))), 1, head)

    def test_braces_in_strings_comments_and_macros_do_not_count(self):
        text = '// {\nconst char* a = "{"; char b = \'{\'; /* { */\n#define M {\\\n  {\nint c = 1\'000;\nauto r = R"(\n{)";\n'
        self.assertEqual(findings("src/a/b.cc", text + function(60) + function(60)), [])

    def test_a_long_table_is_no_function(self):
        self.assertEqual(findings("src/a/b.cc", "const int kTable[] = {\n" + "  F(1),\n" * 100 + "};\n"), [])


if __name__ == "__main__":
    unittest.main()
