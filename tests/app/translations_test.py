"""The German texts of the window are complete: each text of the sources has one, with its placeholders.
usage: translations_test.py LUPDATE SOURCE_DIR"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

LUPDATE = sys.argv[1]
SOURCE = pathlib.Path(sys.argv[2])
GERMAN = SOURCE / "app/translations/vqas_de.ts"

# Words of a phrase that the library takes from a list or joins.
JOINED = {"band loss", "delay variation", "raise the sending level by", "lower the sending level by", "dB first", "end b",
          "with those at the bottom of the scale the mean would be", "% without a score (",
          "with the unscored ones at the bottom of the scale the mean would be"}


def messages(path):
    """Each text with its translation element, by context and source."""
    found = {}
    for context in xml.parse(path).getroot().findall("context"):
        for message in context.findall("message"):
            key = (context.findtext("name"), message.findtext("source"), message.findtext("comment") or "")
            found[key] = message.find("translation")
    return found


def placeholders(text):
    return collections.Counter(re.findall(r"%\d", text))


def literals(path):
    """The text literals of a C++ file, with a line between them and between what stands around a placeholder."""
    code = re.sub(r"^\s*(//|#include).*$", "", path.read_text(), flags=re.M)
    joined = re.sub(r'(?<!\\)"\s*u?"', "", code)
    texts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', joined)
    return "\n".join(re.sub(r"\{[^}]*\}|%\d", "\n", text.replace('\\"', '"').replace("\\n", "\n")) for text in texts)


class Translations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            fresh = pathlib.Path(folder) / "fresh.ts"
            subprocess.run([LUPDATE, "-silent", "-locations", "none", "-I", SOURCE / "app", SOURCE / "app", "-ts", fresh],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            cls.sources = set(messages(fresh))
        cls.german = messages(GERMAN)

    def test_each_text_of_the_window_is_in_the_catalogue(self):
        self.assertGreater(len(self.sources), 500)
        self.assertEqual(self.sources - set(self.german), set(), "run tools/translations, and translate these")

    def test_the_catalogue_has_no_text_that_the_window_has_not(self):
        self.assertEqual(set(self.german) - self.sources, set(), "run tools/translations")

    def test_each_text_is_translated(self):
        open_ones = [key for key, text in self.german.items() if text.get("type") or not text.text]
        self.assertEqual(open_ones, [], "translate them in app/translations/vqas_de.ts")

    def test_no_placeholder_is_lost(self):
        for (context, source, _), text in self.german.items():
            with self.subTest(context=context, source=source):
                self.assertEqual(placeholders(text.text), placeholders(source))

    def test_what_has_a_mnemonic_keeps_one(self):
        for (context, source, _), text in self.german.items():
            with self.subTest(context=context, source=source):
                self.assertEqual(text.text.count("&"), source.count("&"))

    def test_spaces_around_a_text_are_kept(self):
        for (context, source, _), text in self.german.items():
            with self.subTest(context=context, source=source):
                self.assertEqual(text.text[:1] == " ", source[:1] == " ")
                self.assertEqual(text.text[-1:] == " ", source[-1:] == " ")

    def test_the_sources_still_have_the_phrases_of_the_libraries(self):
        files = [*SOURCE.glob("libvqas/src/**/*.cpp"), *SOURCE.glob("app/**/*.cpp")]
        said = "\n".join(literals(path) for path in files if path.name != "phrase_book.cpp").lower()
        for context, source, _ in self.sources:
            if context != "Phrase":
                continue
            for part in re.split(r"%\d|[.;:,] ", source):
                part = part.strip(" .,;")
                with self.subTest(phrase=source, part=part):
                    self.assertTrue(" " not in part or part in JOINED or part.lower() in said,
                                    "the library's text has changed: change the phrase, too")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
