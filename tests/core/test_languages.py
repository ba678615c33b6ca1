"""Lists of pronouns, and how the language of a text is known."""

import pytest

from corefkit.core.languages import (
    LANGUAGES,
    _entries,
    language,
    language_of_path,
    language_of_words,
)

SENTENCES = {
    "ar": "ذهب الرجل إلى البيت في المساء و كان مع صديقه على الطريق",
    "ca": "La noia va anar al poble amb els pares i no va tornar fins que els dies eren més llargs",
    "cs": "Muž se vrátil do domu a řekl že je to pro něj v pořádku",
    "de": "Der Mann ging mit dem Hund in den Wald und kam nicht zurück",
    "en": "The man went to the house and saw that it was empty",
    "es": "El hombre fue a la casa con los niños y no volvió por la tarde",
    "fr": "Le garçon est dans la maison avec les enfants et la mère",
    "hi": "लड़का घर में है और वह किताब के साथ एक कमरे में है",
    "hu": "A fiú az iskolába ment és nem volt egy könyv",
    "it": "Il ragazzo è nella casa con la madre e il padre di Anna",
    "ja": "彼 は 学校 に 行っ た が 、 すぐ に 帰っ て き た",
    "la": "Caesar in Galliam cum legionibus venit et non ad urbem ut putabant",
    "lt": "Vyras ir moteris buvo namuose, bet ne su vaikais",
    "nl": "De man liep met het kind naar de winkel en kwam niet terug van de markt",
    "pl": "Chłopiec nie był w domu i poszedł do szkoły z siostrą na spacer",
    "ru": "Мальчик не был в доме и пошёл в школу с сестрой по дороге",
    "tr": "Çocuk ve annesi bir ev için çok para verdi ama daha sonra",
    "zh": "他 在 学校 里 看 了 书 和 说 的 是 不 对 的",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_of_each(code: str) -> None:
    words = SENTENCES[code].split()
    assert language_of_words({word: words.count(word) for word in words}) == code


def test_every_language_has_a_list() -> None:
    assert set(_entries()) == set(LANGUAGES)
    for code, name in LANGUAGES.items():
        one = language(code)
        assert one.name == name and len(one.words) > 40 and len(one.common) > 15
        assert all(word == one.plain(word) for word in one.words | one.common)


def test_the_english_list_is_that_of_the_law() -> None:
    law = """i me my mine myself we us our ours ourselves you your yours yourself yourselves he him
        his himself she her hers herself it its itself they them their theirs themselves themself
        this that these those who whom whose which what whoever whomever whatever one oneself each
        other another anyone anybody anything everyone everybody everything someone somebody
        something none nobody nothing both all some any many"""
    assert language("en").words == frozenset(law.split())


def test_points_and_accents_are_not_compared() -> None:
    assert language("he").is_pronoun("הוּא") and language("grc").is_pronoun("αὐτός")
    assert language("ko").is_pronoun("그녀는") and not language("nl").is_pronoun("they")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("no_bokmaalnarc-corefud-dev.conllu", "nb"),
        ("no_nynorsknarc-corefud-dev.conllu", "nn"),
        ("hbo_ptnk-corefud-train.conllu", "he"),
        ("xx_made-corefud-dev.conllu", None),
        ("v4/data/development/data/arabic/annotations/nw/a.conll", "ar"),
        ("nl.conll", None),
    ],
)
def test_names_of_files(path: str, code: str | None) -> None:
    assert language_of_path(path) == code
