"""What stands right after a value and takes it back: a mark, a denial, a doubt, a share, a case.

Words of ours for folded text, as in `wordlists`, in one place for options, verdicts and numbers.
"""

from __future__ import annotations

import re

from unswayed.readouts.wordlists import words_in


def _either(text: str) -> str:
    return "|".join(re.escape(word).replace("_", r"\ ") for word in words_in(text))


_DENYING = _either(
    "no nope nah not never wrong incorrect false untrue mistaken inaccurate invalid impossible "
    "implausible unlikely improbable doubtful questionable dubious excluded eliminated rejected "
    "dismissed discarded refuted disproved disproven ruled_out crossed_out struck_out out hardly "
    "scarcely no_way no_longer unsuitable inappropriate unsupported less_likely least_likely "
    "not_really not_at_all not_quite not_likely not_correct not_right not_true not_so not_it "
    "not_possible not_plausible not_good not_ideal no_good no_chance no_go not_any_more "
    "not_anymore not_the_answer not_the_case withdrawn retracted off_the_table a_mistake an_error "
    "nein nicht falsch inkorrekt unwahr unwahrscheinlich unmöglich ausgeschlossen kaum niemals "
    "nicht_richtig nicht_korrekt nicht_mehr eher_nicht auf_keinen_fall keinesfalls scheidet_aus "
    "non pas faux fausse incorrecte inexact inexacte improbable exclu exclue jamais peu_probable "
    "pas_correct pas_du_tout falso falsa incorrecto incorrecta improbable imposible descartado "
    "descartada equivocado equivocada nunca jamás poco_probable no_es_correcto excluido excluida "
    "não nao errado errada incorreto incorreta improvável impossível jamais pouco_provável "
    "sbagliato sbagliata scorretto scorretta errato errata improbabile impossibile escluso esclusa "
    "mai poco_probabile fout onjuist onwaar nee onwaarschijnlijk fel nej nie nieprawda błędne "
    "нет не неверно неправильно ложно ложь неправда ошибка ошибочно маловероятно невозможно "
    "исключено исключается никогда неверный неправильный не_подходит "
    "wrong_answer wrong_choice wrong_option bad_choice poor_choice bad_fit poor_fit bad_match "
    "poor_match weak_fit weak_match weak_choice no_fit no_match poor bad weak worse worst "
    "yanlış değil salah bukan sai tidak خطا خاطئ خاطئة لا गलत नहीं"
)
_DENYING_JOINED = (
    r"(?:は|が|이|가|은|는|是)?[ \t]*(?:错误|錯誤|错的|錯的|错(?!不了)|錯|不对|不對|不正确|"
    r"不正確|不是|否|不可能|排除|假|我?也?不太?(?:确定|確定|肯定)|"
    r"間違い(?! ?(?:な|あり|無|ござい))|間違って|違う|"
    r"違い(?! ?(?:な|あり|無|ござい))|誤り(?! ?(?:な|あり|無))|誤って|不正解|不適切|いいえ|ちが|"
    r"まちが(?!いな|いあり)|正しくな|ではな|ではあり|じゃな|でな|틀림(?! ?없)|틀렸|틀린|틀립|오답|"
    r"아님|아니|아닙|아닌|아녜|배제)(?!的?是?[ \t\"'“(（]*(?:[a-z](?!\w)|\d)(?![ \t]*[:：]))"
)
"""Denials in languages that set no space; one that has a letter or a number for its object is none
of the value before it."""
_JOINED_ENDS = (
    r"(?:是?(?:的|了|正确|正確|答案|选项|選項|选择|選擇){1,3}|[ぁ-ゖ]{1,8}|[가-힣]{1,6})?"
    r"(?:(?=[ \t\"'”）)\]`*_]*(?:[.!,;:\n。、，；！|]|$|[—]|-(?=\s)))|(?=[ \t]+[a-z][:：]))"
)
"""What may follow such a denial where a mark parts it from the value: an ending and a stop."""
_DOUBTING = (
    r"i (?:\w+ )?doubt (?:it|that|this)|i (?:do not|don't) think so|"
    r"(?:(?:that|this|it)(?:'s| is) )?(?:not (?:sure|certain|convinced)|unsure|uncertain|unclear)|"
    r"maybe(?: not)?|perhaps(?: not)?|possibly(?: not)?|probably not|could be|might be|may be|"
    r"may or may not|who knows|vielleicht(?: nicht)?|peut-être|quizás?|tal vez|talvez|forse|"
    r"возможно|может быть|вряд ли|сомнительно|也许|可能|かもしれ|아마|ربما|शायद"
)
_GRADED = (
    r"likely|probable|possible|plausible|tempting|partly|partially|half|somewhat|medium|moderate|"
    r"low|high|less|more|least|most|good|better|best|fair|strong|(?:un)?wahrscheinlich|möglich|"
    r"probable|possible|probabile|possibile|provável|possível|вероятно|可能"
)
_SHARE = (
    r"[~≈]? ?(?:\d{1,3}(?:[.,]\d+)? ?(?:%|percent|prozent|/ ?\d{1,3}|(?:points?|pts?|votes?|stars?)"
    r"(?!\w))|[01]?[.,]\d+)"
)
_MUCH = (
    r"(?:(?:is|was|are|it's|it is|that's|that is|this is|clearly|obviously|definitely|certainly|"
    r"absolutely|almost|very|quite|rather|highly|surely|simply|just|really|also|of course|sadly|"
    r"(?:almost )?certainly|totally|completely|entirely|fully|strictly|most|still|now|partly|"
    r"ist|est|es|é|è|sicher|sicherlich|natürlich|ganz|sehr|klar|auch|leider|definitiv|absolut|"
    r"certainement|clairement|évidemment|bien sûr|très|sûrement|claramente|obviamente|muy|muito|"
    r"ciertamente|por supuesto|desde luego|certamente|ovviamente|chiaramente|molto|assolutamente|"
    r"конечно|очевидно|точно|явно|это|очень)[ ,]+){0,3}"
)
_CLOSING = r"[ \t\"'”»」』`*_]{0,4}[)\]]?[\"'”`*_]{0,3}"
_APPOSED = rf"{_CLOSING}[ \t]*(?:[:,;、=(\[|]|-+>?(?=\s)|[—→⇒]|…|\.{{2,3}})[ \t\"'“`*_(]*"
_OBJECT = r"[\"'(]*(?:[a-z](?!\w)|\d)"
_OF_ITSELF = (
    r"(?:really|quite|at|the|so|it|that|this|one|possible|plausible|correct|right|true|sure|certain|"
    r"likely|good|an?|valid|accurate|any|even|in|by|for|because|since|richtig|korrekt|wahr|möglich|"
    r"ganz|mehr|wirklich|du|vrai|correcte?|es|é|è|c'est|to|all|always|here|necessarily)(?!\w)"
)
_OF_ANOTHER = (
    rf"(?!:[ \t]*{_OBJECT}(?![ \t]*:)|(?<=not it), ?(?!because|since|as |but )\w|"
    r"(?:(?<=excluded)|(?<=eliminated)|(?<=rejected)|(?<=ruled out)): ?\w|"
    r"[ \t]*[,;—-]+[ \t]*(?:(?:it|that|this|das|es)(?:'s| is| ist) |c'est |es |é |è )?"
    rf"(?:definitely |certainly |surely )?(?:(?:not|nicht|pas|nor) (?!{_OF_ITSELF})\w|"
    rf"(?:not|nicht|pas|no|non|não|не|nor|kein\w*) (?:option |answer |the )?{_OBJECT}))"
)
"""No value follows of which the denial, or one more, is said: `no, it's not A`, `excluded: A`."""
_STOPS = _OF_ANOTHER + (
    r"(?=[ \t\"'”)\]`*_]*(?:[.!,;:\n。、，；|]|$|[—]|-(?=\s))|"
    r",? (?:because|since|as|weil|da|car|porque|perché|потому)(?!\w))"
)
_DENIED = re.compile(
    rf"{_APPOSED}{_MUCH}(?:(?:{_DENYING}|{_DOUBTING}){_STOPS}|{_DENYING_JOINED}{_JOINED_ENDS})|"
    rf"{_CLOSING} {_MUCH}(?:{_DENYING}){_STOPS}|"
    rf"{_CLOSING}[ \t]?{_DENYING_JOINED}"
)
_UNIT = (
    r"(?: ?(?!(?:and|or|but|because|since|as|for|so|if|when|unless|while|that|which|where|not|no|"
    r"und|oder|weil|et|ou|car|y|o|porque|e|и|или|"
    r"was)(?!\w))[^\W\d_]{1,16}(?:/[^\W\d_]{1,8})?){0,3}?"
    r"(?<![个個处處])"
)
"""Words that may stand between a number and what is said of it."""
_REFUTING = (
    r" (?:(?:is|was) (?:\w+ ){0,2}?(?:not|never|too \w+|excluded|rejected|refuted|impossible|wrong|"
    r"incorrect|false|out)|isn't|wasn't|can't|cannot|won't|fails|failed|doesn't|does not|did not|"
    r"didn't|could not|couldn't|would not|wouldn't|ist (?:\w+ )?(?:nicht|falsch|kein\w*|unmöglich)|"
    r"(?:n'|ne )\w+(?: \w+)? pas|ne convient|est (?:faux|fausse|incorrecte?|exclu|"
    r"impossible)|"
    r"no (?:es|era|puede|sirve|vale)|es (?:falso|incorrect[ao]|imposible|erróneo)|não (?:é|pode|"
    r"serve)|é (?:falso|errado|incorreto|impossível)|non (?:è|può|va)|è (?:falso|sbagliat[ao]|"
    r"errat[ao]"
    r"|impossibile)|is (?:niet|fout|onjuist)|är (?:inte|fel)|er ikke|không phải|değil\w*|olamaz|"
    r"nie jest|jest błędn\w+|не (?:является|подходит|может)|(?:это )?(?:неверно|неправильно|ложь)|"
    r"ليس\w*|(?:يعني )?خطا|गलत|नहीं|bukan|salah|yanlış)(?!\w)"
)
_NUMBER_DENIED = re.compile(
    rf"{_UNIT}(?:{_CLOSING}(?: {_MUCH}(?:{_DENYING}){_STOPS}|[ \t]?{_DENYING_JOINED}|{_REFUTING})|"
    rf"{_APPOSED}{_MUCH}(?:(?:{_DENYING}|{_DOUBTING}){_STOPS}|{_DENYING_JOINED}{_JOINED_ENDS}))"
)
_NIL = re.compile(r"0(?:[.,]0+)?(?: ?%| percent)?|zero|null|none|nothing|nil")
_NEVER = re.compile(
    rf"\W{{1,6}}{_MUCH}(?:never|no way|no chance|impossible|not possible|not at all|unmöglich|"
    r"niemals|nie|jamais|imposible|nunca|jamás|impossibile|mai|impossível|невозможно|никогда|"
    r"不可能|不可能的|불가능)[ \t\"'”)\]`*_]*(?:[.!,;:\n。]|$)"
)
_NO = re.compile(
    r"no|nope|nah|not \w+|isn't \w+|false|f|wrong|incorrect|untrue|never|nein|falsch|unwahr|non|"
    r"faux|fausse|falso|falsa|não|nao|нет|неверно|ложь|否|不是|不|不对|错误|错|いいえ|아니요|아니오|"
    r"아니|거짓"
)
_NO_MORE = re.compile(
    r"\W{1,6}(?:(?:absolutely|definitely|certainly|simply|just|really) )?(?:no|nope|nah|not|never|"
    r"nein|niemals|nie|nicht|non|pas|jamais|nunca|jamás|mai|não|нет|не|никогда|不是|不对|いいえ|"
    r"아니요?)\W*\Z"
)
_DOUBTED_BEFORE = re.compile(
    r"(?:(?<!\w)(?:maybe|perhaps|possibly|(?:might|may|could)(?: well)? be|not|never|no longer|"
    r"except|"
    r"anything but|all but|nothing but|other than|vielleicht|möglicherweise|peut-être|quizás?|"
    r"tal vez|talvez|forse|возможно|может быть|наверное|mungkin|belki)|也许|也許|可能|或许|"
    r"おそらく|たぶん|아마도?|ربما|शायद)[ \t\"'*_,:]*(?:it is |it's |is |be |der |die |das |the )?$"
)
_GRADES = re.compile(
    rf"{_CLOSING}[ \t]*(?:[:=(\[|]|-+>?(?=\s)|[—→⇒])[ \t\"'“`*_(]*"
    rf"(?!(?:most|highly|very|extremely) (?:likely|probable|plausible)(?!\w))"
    r"(?:(?:very|quite|rather|highly|most|less|more|least|fully|partly|only)[ ]+)*"
    rf"(?:{_GRADED})(?: (?:fit|match|one|chance|right|correct|true))?{_STOPS}"
)
_SHARED = re.compile(
    rf"{_CLOSING}[ \t]*(?:[:=(\[|]|-+>?(?=\s)|[—→⇒])[ \t]*(?P<share>{_SHARE}){_STOPS}"
)
_PERCENT = re.compile(r"[~≈]? ?(\d{1,3}(?:[.,]\d+)?) ?(?:%|percent|prozent)")
_MOST_OF_IT = 50
_SUPPOSED = (
    r"(?:if|wenn|si|se|если|如果|assuming|provided|supposing)(?: that)? "
    r"(?:i|we|you|one|my|ich|wir|sie|man|je|on|vous|tu|yo|io|eu|я)?(?:'\w+)? ?(?:\w+ ){0,4}?"
)
_SAID = (
    rf"(?!{_SUPPOSED}(?:guess|choose|pick|answer|decide|say|forced|pressed|bet|"
    r"asked|ask (?:me|us|my)|select|commit|mistaken|"
    r"recall|remember|remembers?|understand|understood|"
    r"correctly|right|"
    r"serves|wrong|raten|irre|trompe|equivoco|sbaglio|ошибаюсь|must|like|prefer|wish|want|"
    r"allowed)(?!\w))"
    r"(?!if (?:any(?:thing)?|so|possible|necessary|needed|and only|not)(?!\w))"
)
_UNDERSTOOD = (
    r"(?!(?:if|wenn|si|se|если|如果|assuming|provided|supposing)(?: that)? "
    r"(?:(?:(?:i|we|you|one|ich|wir|sie|man|on|vous|tu|by)(?:'\w+)?|(?:by )?(?:the|this|your) "
    r"(?:question|problem|task|exercise|statement)) (?:\w+ ){0,4}?"
    r"(?:means?|meant|asks?|asking|counts?|counting|considers?|"
    r"considering|includes?|including|refers?|referring|interpret\w*|talking|defines?|rounds?|"
    r"ignores?|neglects?|meinen|meinst|meint)|rounding|rounded|ignoring|neglecting|counting|"
    r"considering|including)(?!\w))"
)
"""Conditions that say how the question was understood; with another case they are conditions."""
_IF = (
    r"(?:(?:only )?(?:if|unless|provided|assuming|supposing|wenn|falls|sofern|si|s'ils?|"
    r"à moins|sauf si|se|a menos|salvo|a meno|если|когда|при условии|जब|अगर|यदि|اذا|إذا|لو)(?!\w)|"
    r"(?:如果|若|假如|除非|当|當|もし|만약))"
)
_CASE = _SAID + _IF
_AT_TIMES = r"(?:when|whenever|whereas|while|cuando|quando|lorsque|quand|sobald|once)(?!\w)"
_SORTED = re.compile(
    r"[ \t]*[(,]?[ \t]*(?P<word>for|in|during|at|on|under|with|für|im|bei|pour|en|para|per|для|в)"
    r"(?!\w)"
)
_CASED = re.compile(
    rf"(?:(?<=\d){_UNIT})?{_CLOSING}[ \t]*(?P<aside>[(,，（])?[ \t]*"
    rf"(?:but )?(?P<only>only )?{_UNDERSTOOD}{_CASE}"
)
_CASED_LOOSELY = re.compile(rf"{_CLOSING}[ \t]*[(,，（]?[ \t]*(?:{_CASE}|{_AT_TIMES})")
_ELSE = re.compile(
    r"(?:(?<!\w)(?:otherwise|or else|else|in which case(?: it is| it's)?|sonst|andernfalls|"
    r"sinon|autrement|si no|de lo contrario|"
    r"en otro caso|senão|caso contrário|altrimenti|in caso contrario|иначе|в противном случае)|"
    r"否则|否則|そうでなければ|아니면|그렇지 않으면)"
)
_ELSE_SET_OFF = re.compile(rf"(?:[,;.(!，；]|(?<!\w)(?:and|or|but|und|oder))\W*{_ELSE.pattern}")
_JOINT = re.compile(r"(?:[,;，；]|(?<!\w)(?:and|but|then|und|aber|et|y|e|ed|mais|pero|и|а|но))\W*$")
_ENDS = re.compile(rf"{_CLOSING}[ \t]*(?:[.,;!\n)。，；]|$)")
_RUN = re.compile(
    rf"[^.!?\n。！？]{{0,200}}(?:[.!][ \t]+(?=(?:but |and )?(?:{_ELSE.pattern}|{_CASE}))"
    r"[^.!?\n。！？]{0,100})?"
)
_NEW_CASE = re.compile(rf"[.!;] .*{_CASE}")
_CASE_AGAIN = re.compile(
    r"(?<!\w)(?:if|unless|when|wenn|falls|sofern|if not|если|when)(?!\w)|如果|若|もし|만약|"
    r"(?:[,;]| y| et| e| mais| pero| ma)[^,;.]{1,30} (?:si|se|s'ils?)(?!\w)"
)
_LINK = 40


def is_denied(text: str, end: int) -> bool:
    """Whether what follows a value denies or doubts it, as in `B: wrong` or `5 ist es nicht`."""
    return _DENIED.match(text, end) is not None


def is_number_denied(text: str, end: int) -> bool:
    """Whether a number is denied after it, with its unit between or not, as in `5 km is wrong`."""
    return _NUMBER_DENIED.match(text, end) is not None


def only_strengthens(text: str, start: int, end: int) -> bool:
    """Whether a value is itself a denial and what follows says no more: `No, never`, `0 - never`.

    Args:
        text: The folded text.
        start: Where the value starts.
        end: Where it ends.
    """
    words = text[start:end].strip(" \t\"'*_()")
    if _NIL.fullmatch(words) and _NEVER.match(text, end):
        return True
    return bool(_NO.fullmatch(words) and _NO_MORE.match(text, end))


def is_doubted_before(text: str, start: int) -> bool:
    """Whether the words right before a value doubt or except it, as in `maybe 5`."""
    return _DOUBTED_BEFORE.search(text, max(0, start - _LINK), start) is not None


def is_only_graded(text: str, end: int) -> bool:
    """Whether a value opens a list of grades or shares, as in `B: 40%, C: 60%` or `B - likely`."""
    if _GRADES.match(text, end):
        return True
    shared = _SHARED.match(text, end)
    if shared is None:
        return False
    percent = _PERCENT.fullmatch(shared["share"])
    return percent is None or float(percent[1].replace(",", ".")) <= _MOST_OF_IT


def is_conditional_after(text: str, end: int) -> bool:
    """Whether a value holds only under the condition after it, as in `B unless it rains`.

    A condition that a comma or a bracket sets off, as in `100 °C (if at sea level)`, says how the
    question was understood, unless the same words go on to another case.
    """
    cased = _CASED.match(text, end)
    if cased is None or cased["aside"] is None or cased["only"]:
        return cased is not None
    run = _RUN.match(text, cased.end())
    rest = run[0] if run else ""
    return bool(_ELSE_SET_OFF.search(rest) or _CASE_AGAIN.search(rest))


def rest_of_cases(text: str, end: int) -> tuple[int, int, str] | None:
    """Where other cases of a value can stand, and the word that has to stand there again.

    Args:
        text: The folded text.
        end: Where the value ends.

    Returns:
        The stretch of the sentence after the case's first word and that word, which is empty after
        `if` and the like; None where the value is given for no case.
    """
    cased = _CASED_LOOSELY.match(text, end)
    again = _SORTED.match(text, end) if cased is None else None
    start = cased.end() if cased else again.end() if again else None
    if start is None:
        other = _ELSE.search(text, end, end + _LINK)
        if other is None or text[end : other.start()].strip(" ,;，；"):
            return None
        start = end
    run = _RUN.match(text, start)
    return start, run.end() if run else start, again["word"] if again else ""


def is_other_case(text: str, start: int, end: int, again: str) -> bool:
    """Whether a further value stands for another case: `..., C otherwise` or `... and C when cold`.

    Args:
        text: The folded text.
        start: Where the further value starts.
        end: Where it ends.
        again: The word that has to follow, or nothing.
    """
    if again:
        sorted_too = _SORTED.match(text, end)
        return sorted_too is not None and sorted_too["word"] == again
    before = text[max(0, start - _LINK) : start]
    if any(not re.search(r"[,;]\s*\w", before[each.end() :]) for each in _ELSE.finditer(before)):
        return True
    if _ELSE.match(text, end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip(" ,"))):
        return True
    if not _JOINT.search(before):
        return False
    if _CASED_LOOSELY.match(text, end) or _ELSE.search(text, start, end):
        return True
    # Numbers in a row belong to the condition: `if he works 3 days, 4 hours each`.
    in_row = text[start : start + 1].isdigit() and before.rstrip(" \"'(").endswith(",")
    return _ENDS.match(text, end) is not None and (not in_row or bool(_NEW_CASE.search(before)))
