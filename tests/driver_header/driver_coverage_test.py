import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tool

coverage = tool.load("gen_driver_coverage")
driver_table = sys.modules["driver_table"]


class Tree:
    """A tree with one topic file and its remarks."""

    def __init__(self, rows: str, notes: str = "", reasons: str = ""):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / driver_table.FOLDER).mkdir(parents=True)
        (self.root / driver_table.FOLDER / "cuda_x.def").write_text(f"// X.\n{rows}\n")
        (self.root / "src/abi/driver/entry_points.def").write_text('#include "abi/driver/entry_points/cuda_x.def"\n')
        (self.root / coverage.NOTES).write_text(notes)
        (self.root / coverage.REASONS).write_text(reasons)

    def page(self) -> tuple[str, list[str]]:
        notes, reasons = coverage.Remarks(self.root, coverage.NOTES), coverage.Remarks(self.root, coverage.REASONS)
        findings = []
        text = coverage.page(driver_table.topics(self.root), notes, reasons, findings)
        return text, [found.mend for found in [*findings, *notes.unused(), *reasons.unused()]]


def row(symbol: str, effect: str, handling: str, stream_mode: str = "kAny") -> str:
    return f"CUDA_ENTRY({symbol}, {symbol.split('_')[0]}, 2000, {stream_mode}, {effect}, {handling})"


class DriverCoverage(unittest.TestCase):
    def test_a_passed_function_that_allocates_frees_or_submits_needs_a_reason(self):
        for effect in ("kAllocates", "kFrees", "kSubmits"):
            self.assertEqual(len(Tree(row("cuA", effect, "PASS")).page()[1]), 1, effect)
            self.assertEqual(Tree(row("cuA", effect, "PASS"), reasons="cu* Costs nothing.").page()[1], [], effect)

    def test_a_passed_function_that_does_nothing_to_a_card_needs_none(self):
        self.assertEqual(Tree(row("cuA", "kQueries", "PASS")).page()[1], [])

    def test_a_hook_needs_a_phrase(self):
        self.assertEqual(len(Tree(row("cuA", "kQueries", "HOOK")).page()[1]), 1)
        self.assertEqual(Tree(row("cuA", "kQueries", "HOOK"), notes="cuA looks").page()[1], [])

    def test_a_pattern_that_nothing_needs_is_found(self):
        self.assertEqual(len(Tree(row("cuA", "kQueries", "PASS"), reasons="cu* Why not.").page()[1]), 1)

    def test_a_passed_function_that_needs_no_reason_may_have_one_by_its_name(self):
        text, findings = Tree(row("cuA", "kQueries", "PASS"), reasons="cuA Tells all.").page()
        self.assertEqual(findings, [])
        self.assertIn("| `cuA` | queries | passed. Tells all. |", text)

    def test_variants_treated_alike_share_a_line(self):
        rows = [row("cuA", "kQueries", "PASS"), row("cuA_v2", "kQueries", "PASS"), row("cuB_v2", "kNeither", "PASS")]
        text, _ = Tree("\n".join(rows)).page()
        self.assertIn("| `cuA` `_v2` | queries | passed |", text)
        self.assertIn("| `cuB_v2` | neither | passed |", text)

    def test_a_row_that_is_not_classified_is_refused(self):
        for bad in (row("cuA", "kMaybe", "PASS"), row("cuA", "kFrees", "LATER"), "CUDA_ENTRY(cuA, cuA)"):
            with self.assertRaises(ValueError):
                Tree(bad).page()

    def test_a_topic_that_is_not_included_is_refused(self):
        tree = Tree(row("cuA", "kQueries", "PASS"))
        (tree.root / driver_table.FOLDER / "cuda_y.def").write_text("// Y.\n")
        with self.assertRaises(ValueError):
            tree.page()


if __name__ == "__main__":
    unittest.main()
