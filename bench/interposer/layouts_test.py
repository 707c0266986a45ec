"""What `bench interposer --layouts` links, and what it makes of the figures."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

import layouts

BENCH = pathlib.Path(__file__).resolve().parent

LINK = ": && cc -shared -o lib/a.so a.o b.o c.o d.o archive.a -lm && :"


def program():
    loader = importlib.machinery.SourceFileLoader("run", str(BENCH / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    loader.exec_module(module)
    return module


class Layouts(unittest.TestCase):
    def test_the_link_command_is_found_among_all(self):
        words = layouts.link_words(f"cc -c a.c -o a.o\n{LINK}\ncmake -E cmake_symlink_library lib/a.so", "lib/a.so")
        self.assertEqual(words, "cc -shared -o lib/a.so a.o b.o c.o d.o archive.a -lm".split())

    def test_a_library_that_nothing_links_is_named(self):
        with self.assertRaisesRegex(SystemExit, "lib/b.so"):
            layouts.link_words(LINK, "lib/b.so")

    def test_objects_change_places_and_nothing_else_does(self):
        words = layouts.link_words(LINK, "lib/a.so")
        orders = {tuple(layouts.reordered(words, seed)) for seed in range(9)}
        self.assertGreater(len(orders), 1)
        for order in orders:
            self.assertEqual(sorted(order[4:8]), ["a.o", "b.o", "c.o", "d.o"])
            self.assertEqual([*order[:4], *order[8:]], [*words[:4], *words[8:]])

    def test_a_case_has_the_median_of_its_layouts(self):
        figures = {"bare_ns": 1.0, "hooked_ns": 2.0, "error_ns": 0.1, "ratio": 2.0, "rounds": 9}
        lines = [figures | {"case": case, "added_ns": added} for added in (5.0, 1.0, 9.0) for case in ("free", "launch")]
        merged = program().merged(lines)
        self.assertEqual([line["case"] for line in merged], ["free", "launch"])
        self.assertEqual((merged[0]["added_ns"], merged[0]["least_added_ns"], merged[0]["most_added_ns"]), (5.0, 1.0, 9.0))
        self.assertEqual(merged[0]["layouts"], 3)


if __name__ == "__main__":
    unittest.main()
