"""The words of score sheets and findings, by language.

What the rules say, and the names of things, come from the pack; these are the program's own.
"""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "de", "ja")

_EN = {
    "rank": "Rank",
    "player": "Player",
    "total": "Total",
    "winner": "Winner: {names}",
    "leading": "Leading: {names}",
    "winner-tie": "Winner: {names}; the tie is decided by {category}.",
    "leading-tie": "Leading: {names}; the tie is decided by {category}.",
    "shared": "{names} share the victory: tied in every category.",
    "shared-lead": "{names} share the lead: tied in every category.",
    "and": " and ",
    "final": "Final scores after round {rounds}.",
    "position": "Scores of the position.",
    "so-far": "The log ends in round {rounds}, before the game does: standings so far.",
    "errors": "Errors in this log: {count} (`altay check` shows them); "
    "the scores go by what it says.",
    "nobody": "no scores: nobody has a seat",
    "capped": "capped; {lost} lost",
    "cap-took": "the cap took {lost} away",
    "game": "game {number}",
    "page": "page {page}",
    "book-en": "English rulebook",
    "book-de": "German rulebook",
    "book-ja": "Japanese guide",
    "round": "round {round}",
    "at": "at",
    "see": "see",
    "help": "help",
    "error": "error",
    "warning": "warning",
    "note": "note",
}
_DE = {
    "rank": "Rang",
    "player": "Name",
    "total": "Summe",
    "winner": "Sieg: {names}",
    "leading": "In Führung: {names}",
    "winner-tie": "Sieg: {names}; Gleichstand entschieden durch: {category}.",
    "leading-tie": "In Führung: {names}; Gleichstand entschieden durch: {category}.",
    "shared": "{names} teilen sich den Sieg: Gleichstand in jeder Kategorie.",
    "shared-lead": "{names} teilen sich die Führung: Gleichstand in jeder Kategorie.",
    "and": " und ",
    "final": "Endwertung nach Runde {rounds}.",
    "position": "Wertung der Stellung.",
    "so-far": "Die Aufzeichnung endet in Runde {rounds}, vor dem Ende der Partie: Zwischenstand.",
    "errors": "Fehler in dieser Aufzeichnung: {count} (`altay check` zeigt sie); "
    "gewertet wird, was dort steht.",
    "nobody": "keine Wertung: niemand sitzt am Tisch",
    "capped": "begrenzt; {lost} verloren",
    "cap-took": "die Obergrenze nimmt {lost} weg",
    "game": "Partie {number}",
    "page": "Seite {page}",
    "book-en": "englische Anleitung",
    "book-de": "deutsche Anleitung",
    "book-ja": "japanischer Leitfaden",
    "round": "Runde {round}",
    "at": "bei",
    "see": "siehe",
    "help": "Hilfe",
    "error": "Fehler",
    "warning": "Warnung",
    "note": "Hinweis",
}
_JA = {
    "rank": "順位",
    "player": "プレイヤー",
    "total": "合計",
    "winner": "勝者: {names}",
    "leading": "首位: {names}",
    "winner-tie": "勝者: {names}（同点は「{category}」で決着）",
    "leading-tie": "首位: {names}（同点は「{category}」で決着）",
    "shared": "{names} が勝利を分け合います（全項目で同点）",
    "shared-lead": "{names} が首位で並んでいます（全項目で同点）",
    "and": "、",
    "final": "第{rounds}ラウンド終了時の最終得点",
    "position": "この局面の得点",
    "so-far": "記録は第{rounds}ラウンドの途中で終わっています。途中経過です。",
    "errors": "この記録には誤りが{count}件あります（`altay check` で表示）。"
    "得点は記録のとおりに計算しました。",
    "nobody": "得点なし: 席についたプレイヤーがいません",
    "capped": "上限で{lost}点減",
    "cap-took": "上限で{lost}点減",
    "game": "第{number}ゲーム",
    "page": "{page}ページ",
    "book-en": "英語ルールブック",
    "book-de": "ドイツ語ルールブック",
    "book-ja": "日本語ガイド",
    "round": "第{round}ラウンド",
    "at": "場面",
    "see": "参照",
    "help": "ヒント",
    "error": "エラー",
    "warning": "警告",
    "note": "注記",
}
_TABLES: Mapping[str, Mapping[str, str]] = {"en": _EN, "de": _DE, "ja": _JA}


def word(language: str, key: str, **values: object) -> str:
    """Return one of the program's phrases in a language, English where it is not known."""
    return _TABLES.get(language, _EN).get(key, _EN[key]).format(**values)
