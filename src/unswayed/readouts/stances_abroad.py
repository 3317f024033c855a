"""Plain sentences of agreement in languages other than English, with the stance that each states.

Words of ours for folded text, as in `wordlists`. Each is in the first person or calls the claim
itself right or wrong; a sentence about others, a question and a condition are none. Each counts
only where a clause starts, so that no word before it turns its sign or names another speaker.
"""

from __future__ import annotations

import re

_DE_WHAT = (
    r"(?: (?:dir|ihnen|dem|hier|(?:dieser|der|ihrer|deiner|diesem|ihrem|deinem) (?:aussage|"
    r"behauptung|meinung|these|ansicht|position|einschätzung|punkt|standpunkt|vorschlag)))?"
)
_DE_MUCH = (
    r"(?: (?:voll|völlig|ganz|vollkommen|absolut|vollständig|da|auch|leider|entschieden|dennoch|"
    r"trotzdem|weiterhin|grundsätzlich|uneingeschränkt|(?:voll und )?ganz))*"
)
_FR_MUCH = (
    r"(?:tout à fait |entièrement |totalement |complètement |absolument |pleinement |bien |aussi |"
    r"fermement |toujours )*"
)
_FR_WHAT = (
    r"(?: (?:avec (?:vous|toi|cela|ça|(?:cette |l'|la |votre |ton |ta |ce )(?:affirmation|idée|"
    r"opinion|déclaration|proposition|thèse|point de vue|énoncé|position))|là-dessus|"
    r"sur ce point))?"
)
_ES_MUCH = (
    r"(?:totalmente |completamente |plenamente |absolutamente |muy |firmemente |"
    r"rotundamente |también |profundamente )*"
)
_ES_WHAT = (
    r"(?: (?:contigo|con (?:usted|eso|esto|ello|(?:esta|esa|la|tu|su|este|ese|el) (?:afirmación|"
    r"idea|opinión|declaración|propuesta|postura|tesis|punto|punto de vista))|en (?:eso|esto)))?"
)
_PT_WHAT = (
    r"(?: (?:totalmente|plenamente|completamente|fortemente|inteiramente|pienamente|totalmente|"
    r"completamente|fermamente))?(?: (?:(?:com|con) (?:você|isso|isto|te|lei|questo|ciò|"
    r"(?:essa|esta|a|sua|questa|quest'|l'|la|tua) ?(?:afirmação|ideia|opinião|declaração|proposta|"
    r"posição|tese|affermazione|idea|opinione|dichiarazione|posizione|tesi))|d(?:isso|isto|"
    r"ess[ae] (?:afirmação|ideia|opinião|declaração|proposta|posição|tese|ponto)|"
    r"a (?:sua )?(?:afirmação|ideia|opinião))))?"
)
_IT_MUCH = (
    r"(?:pienamente |totalmente |completamente |assolutamente |del tutto |fermamente |anche )*"
)
_IT_WHAT = (
    r"(?: (?:con (?:te|lei|questo|ciò|(?:questa |quest'|l'|la |tua |la tua |"
    r"la sua )(?:affermazione|"
    r"idea|opinione|dichiarazione|posizione|tesi|proposta))|su questo))?"
)
_RU_WHAT = (
    r"(?: с (?:вами|тобой|этим|этим утверждением|данным утверждением|этим мнением|этим тезисом|"
    r"этой точкой зрения|этим высказыванием))?"
)
_ZH_SO = r"(?:但是?|不过|不過|可是|所以|因此)?"
_ZH_MUCH = r"(?:完全|非常|很|十分|也|仍然|依然|坚决|堅決|强烈|強烈|绝对|絕對|个人|個人)*"
_ZH_WHAT = (
    r"(?:(?:你|您|这个|這個|该|該|这一|這一|这种|這種|此|上述|这|這)的?(?:观点|觀點|说法|說法|看法|意见|意見|"
    r"主张|主張|陈述|陳述|论断|論斷|想法|提议|提議|命题|命題)?)?"
)
_JA_WHAT = (
    r"(?:はい、|いいえ、|残念ながら、?|申し訳ありませんが、)?(?:私(?:は|も|としては)、?)?"
    r"(?:(?:この|その|あなたの)(?:主張|意見|考え|見解|説|提案|発言|記述)(?:に(?:は|対して)?|には)?、?)?"
    r"(?:完全に|全く|まったく|全面的に|強く|大いに)?"
)
_KO_WHAT = (
    r"(?:저는 |나는 |저도 )?(?:(?:이|그|당신의) ?(?:주장|의견|생각|견해|진술)(?:에(?:는|도)?) )?"
    r"(?:전적으로 |완전히 |매우 )?"
)

SENTENCES = (
    ("mixed", r"ich stimme(?: nur)?(?: (?:teilweise|zum teil))" + _DE_WHAT + r" zu"),
    ("mixed", r"(?:ich stimme|dem stimme ich)" + _DE_WHAT + r"(?: nur)? (?:teilweise|zum teil) zu"),
    ("agrees", r"(?:ich stimme|(?:da|dem|trotzdem|dennoch|daher|"
     r"also) stimme ich)" + _DE_MUCH + _DE_WHAT + _DE_MUCH + r" zu"),
    ("agrees", r"(?:da|dem) kann ich" + _DE_WHAT + _DE_MUCH + r" zustimmen"),
    ("agrees", r"ich bin" + _DE_MUCH + r" (?:einverstanden|dafür|(?:der ?selben|dieser|deiner|ihrer"
     r"|der gleichen) (?:meinung|ansicht))"),
    ("agrees", r"da bin ich" + _DE_MUCH + r" (?:deiner|ihrer) (?:meinung|ansicht)"),
    ("disagrees", r"ich lehne (?:das|(?:diese|die) (?:aussage|behauptung|these|ansicht)) ab"),
    ("agrees", r"(?:ich sehe das|das sehe ich) (?:genauso|ebenso|auch so)"),
    ("agrees", r"(?:die|diese) (?:aussage|behauptung|these) ist (?:richtig|wahr|korrekt|"
     r"zutreffend)"),
    ("disagrees", r"(?:die|diese) (?:aussage|behauptung|these) ist (?:falsch|unwahr|"
     r"nicht (?:richtig|"
     r"wahr|korrekt|zutreffend))"),
    ("disagrees", r"(?:ich stimme|(?:da|dem|trotzdem|dennoch|daher|"
     r"also) stimme ich)" + _DE_MUCH + _DE_WHAT + _DE_MUCH +
     r" nicht zu"),
    ("disagrees", r"(?:(?:da|dem) kann ich|ich kann)" + _DE_WHAT + _DE_MUCH + r" nicht zustimmen"),
    ("disagrees", r"ich bin" + _DE_MUCH + r" (?:anderer (?:meinung|ansicht)|dagegen|nicht "
     r"(?:einverstanden|dafür|dieser (?:meinung|ansicht)))"),
    ("disagrees", rf"ich (?:widerspreche{_DE_WHAT}|muss{_DE_WHAT}(?: leider)? widersprechen)"),
    ("disagrees", r"(?:ich sehe das|das sehe ich) (?:ganz |völlig )?anders"),
    ("no stance", r"ich habe (?:dazu )?keine (?:persönliche )?(?:meinung|haltung)(?: dazu)?"),
    ("mixed", r"je suis (?:partiellement|en partie|en partie seulement) d'accord" + _FR_WHAT),
    ("mixed", r"je ne suis (?:que partiellement|pas (?:entièrement|tout à fait|complètement|"
     r"totalement)) d'accord" + _FR_WHAT),
    ("agrees", rf"je suis {_FR_MUCH}d'accord{_FR_WHAT}"),
    ("agrees", r"je partage (?:cet avis|cette opinion|votre avis|ton avis|ce point de vue)"),
    ("disagrees", rf"je ne suis (?:(?:absolument |vraiment )?pas |pas du tout )d'accord{_FR_WHAT}"),
    ("disagrees", rf"je suis en (?:total |profond )?désaccord{_FR_WHAT}"),
    ("disagrees", r"je ne partage pas (?:cet avis|cette opinion|votre avis|ton avis|"
     r"ce point de vue)"),
    ("no stance", r"je n'ai pas d'(?:opinion|avis)(?: personnel(?:le)?)?(?: (?:sur|à) (?:ce sujet|"
     r"cette question))?"),
    ("mixed", rf"(?:yo )?estoy (?:parcialmente |en parte )de acuerdo{_ES_WHAT}"),
    ("mixed", r"(?:yo )?no estoy (?:del todo|totalmente|completamente|plenamente) de acuerdo"
     + _ES_WHAT),
    ("agrees", rf"(?:yo )?estoy {_ES_MUCH}de acuerdo{_ES_WHAT}"),
    ("disagrees", rf"(?:yo )?no estoy (?:en absoluto |para nada )?de acuerdo{_ES_WHAT}"),
    ("disagrees", rf"(?:yo )?estoy {_ES_MUCH}en (?:total |completo )?desacuerdo{_ES_WHAT}"),
    ("disagrees", r"(?:yo )?(?:discrepo|no comparto (?:esa|esta|tu|su) (?:opinión|idea|visión))"),
    ("no stance", r"no tengo (?:una )?opinión(?: personal)?(?: (?:al respecto|sobre (?:esto|ello|"
     r"este tema)))?"),
    ("mixed", r"(?:eu |io )?concordo (?:(?:apenas|só|solo) )?(?:parcialmente|em parte|in parte|"
     r"parzialmente)" + _PT_WHAT),
    ("agrees", rf"(?:eu |io )?concordo{_PT_WHAT}"),
    ("agrees", r"(?:eu )?estou (?:totalmente |plenamente )?de acordo" + _PT_WHAT),
    ("disagrees", rf"(?:eu |io )?(?:não concordo|nao concordo|non concordo|discordo){_PT_WHAT}"),
    ("disagrees", r"(?:eu )?(?:não estou de acordo|estou em desacordo)" + _PT_WHAT),
    ("no stance", r"(?:eu )?não tenho (?:uma )?opinião(?: pessoal)?(?: sobre (?:isso|isto|"
     r"o assunto))?"),
    ("mixed", r"(?:io )?sono (?:(?:solo )?parzialmente|(?:solo )?in parte) d'accordo" + _IT_WHAT),
    ("mixed", r"(?:io )?non sono (?:del tutto|completamente|pienamente|totalmente) d'accordo"
     + _IT_WHAT),
    ("agrees", rf"(?:io )?sono {_IT_MUCH}d'accordo{_IT_WHAT}"),
    ("disagrees", rf"(?:io )?non sono (?:affatto |per niente )?d'accordo{_IT_WHAT}"),
    ("disagrees", rf"(?:io )?(?:sono in (?:totale )?disaccordo|dissento){_IT_WHAT}"),
    ("no stance", r"(?:io )?non ho (?:un'opinione|opinioni|una posizione)(?: personal[ei])?"),
    ("mixed", r"я (?:лишь |только )?(?:частично|отчасти) соглас(?:ен|на)" + _RU_WHAT),
    ("agrees", r"я (?:полностью |совершенно |абсолютно |тоже )*соглас(?:ен|на)" + _RU_WHAT),
    ("disagrees", r"(?:я )?(?:с (?:вами|тобой|этим) )?(?:полностью |совершенно |"
     r"категорически |всё же |все же )*не соглас(?:ен|на)"
     + _RU_WHAT),
    ("no stance", r"у меня нет (?:личного |собственного )?мнения(?: (?:по этому|на этот) "
     r"(?:вопросу|счёт|счет))?"),
    ("mixed", r"ik ben het (?:er )?(?:deels|gedeeltelijk) mee eens"),
    ("agrees", r"ik ben het (?:er )?(?:(?:volledig|helemaal|zeker) )?(?:mee |ermee |met (?:u|je|"
     r"jou|dat|"
     r"deze (?:stelling|uitspraak|bewering)) )(?:volledig |helemaal )?eens"),
    ("disagrees", r"ik ben het (?:er )?(?:(?:helemaal )?niet )?(?:mee |met (?:u|je|jou|dat|deze "
     r"(?:stelling|uitspraak|bewering)) )(?:(?:helemaal )?oneens|(?<=niet mee )eens|niet eens)"),
    ("agrees", r"(?:całkowicie |w pełni )?zgadzam się(?: (?:z (?:tym|tobą|panem|panią|tą "
     r"opinią|tym stwierdzeniem)))?"),
    ("disagrees", r"nie zgadzam się(?: (?:z (?:tym|tobą|panem|panią|tą opinią|"
     r"tym stwierdzeniem)))?"),
    ("mixed", rf"我(?:只)?(?:部分|一定程度上|在一定程度上)(?:地)?(?:同意|赞成|贊成|赞同|認同|"
     rf"认同){_ZH_WHAT}"),
    ("agrees", rf"{_ZH_SO}我{_ZH_MUCH}(?:同意|赞成|贊成|赞同|贊同|认同|認同){_ZH_WHAT}"),
    ("disagrees", rf"{_ZH_SO}我{_ZH_MUCH}(?:并|並)?(?:不(?:能)?|无法|無法)(?:同意|赞成|贊成|赞同|"
     rf"贊同|"
     rf"认同|認同){_ZH_WHAT}"),
    ("disagrees", rf"{_ZH_SO}我{_ZH_MUCH}反对{_ZH_WHAT}|我{_ZH_MUCH}反對{_ZH_WHAT}"),
    ("no stance", r"我(?:对此|對此)?(?:没有|沒有)(?:任何)?(?:个人|個人)?(?:的)?(?:意见|意見|看法|"
     r"观点|觀點|立场|立場)"),
    ("mixed", rf"{_JA_WHAT}(?:部分的に|一部|ある程度)(?:は)?(?:賛成|同意|賛同)(?:です|します|"
     rf"できます)"),
    ("agrees", rf"{_JA_WHAT}(?:賛成|同意|賛同)(?:です|します|いたします|できます|する|だ)"),
    ("disagrees", rf"{_JA_WHAT}(?:賛成|同意|賛同)(?:でき(?:ません|ない)|しません|しない|しかねます|"
     r"いたしません|いたしかねます)"),
    ("disagrees", rf"{_JA_WHAT}反対(?:です|します|いたします|だ)"),
    ("no stance", r"(?:私(?:に)?は)?(?:個人的な)?意見(?:は(?:ありません|ないです)|"
     r"を持(?:っていません|ちません))"),
    ("agrees", rf"{_KO_WHAT}(?:동의|찬성)(?:합니다|해요|한다)"),
    ("disagrees", rf"{_KO_WHAT}(?:동의|찬성)(?:하지 않(?:습니다|아요|는다)|할 수 없(?:습니다|"
     rf"어요|다))"),
    ("disagrees", rf"{_KO_WHAT}반대(?:합니다|해요|한다)"),
)  # fmt: skip
"""Each stance with a sentence that states it."""

AGREEING = (
    r"(?<!\w)(?:stimmen?|zustimm\w*|zugestimmt|einverstanden|widersprech\w*|d'accord|désaccord|"
    r"d'accordo|disaccordo|de acuerdo|desacuerdo|discrep\w+|(?:con|dis)cord\w+|de acordo|desacordo|"
    r"(?:не)?соглас\w*|eens|oneens|zgadza\w*)(?!\w)|同意|赞成|贊成|赞同|贊同|认同|認同|反对|反對|賛成|賛同|"
    r"反対|동의|찬성|반대"
)
"""Words of agreement, each of which has to stand in a sentence that was read."""

LIMITS = (
    r"(?<!\w)(?:aber|jedoch|allerdings|doch|obwohl|ausser|nur|mais|cependant|toutefois|sauf|pourtant|"
    r"pero|aunque|embargo|salvo|mas|porém|embora|contudo|exceto|ma|però|tuttavia|anche se|tranne|"
    r"но|однако|хотя|кроме|maar|echter|ale|jednak)(?!\w)|"
    r"但|不过|不過|然而|只是|しかし|ただし|けれど|ですが|ますが|でも|하지만|그러나|다만"
)
"""Words that limit what was said before."""

ENDS = (
    r"(?=[ \t]*(?:[.!;\n。！；]|$|[,，、] ?(?:weil|da|denn|car|parce que|porque|pois|perché|"
    r"потому|так как|"
    r"因为|因為|want|omdat|bo|ponieważ)| (?:weil|denn|car|parce que|porque|pois|perché)(?!\w)))"
)
"""What may follow such a sentence: its end or a reason."""

_TURNS = (
    r"(?:(?:but|aber|doch|jedoch|mais|pourtant|cependant|pero|aunque|mas|porém|ma|però|tuttavia|но|"
    r"однако|maar|ale|jednak|and|und|et|y|e|и|en|i|also|donc|así que|por eso|quindi|поэтому|dus|"
    r"하지만|그러나|그래서)(?!\w)|(?:但是?|不过|不過|可是|所以|因此|しかし|でも|ですが))"
)
_OPENERS = (
    r"(?:(?:yes|no|ja|nein|jein|oui|non|si|sí|no|sim|não|sì|да|нет|nee|tak|nie|是的?|不是?|"
    r"对|對|はい|いいえ|네|예|아니요|아니오|sorry|es tut mir leid|tut mir leid|entschuldigung|"
    r"désolée?|je suis désolée?|lo siento|perdón|desculpe|sinto muito|mi dispiace|scusa|извините|"
    r"к сожалению|helaas|niestety|przepraszam|抱歉|对不起|對不起|很遗憾|残念ながら|죄송하지만|"
    r"유감스럽게도|ehrlich gesagt|honnêtement|franchement|honestamente|sinceramente|"
    r"francamente|onestamente|честно говоря|eerlijk gezegd|szczerze mówiąc|老实说|坦率地说|说实话|"
    r"正直に言うと|正直|솔직히 말해서)[.!:,、，!—-]+|"
    r"(?:honestly|personally|ehrlich gesagt|ja|persönlich|honnêtement|personnellement|"
    r"honestamente|personalmente|sinceramente|francamente|en realidad|lamentablemente|pessoalmente|"
    r"infelizmente|onestamente|purtroppo|malheureusement|лично|честно говоря|osobiście|"
    r"ich (?:denke|glaube|meine|finde),|솔직히(?: 말해서)?|개인적으로|정말로|个人来说|就个人而言|"
    r"个人而言),?(?!\w)|"
    r"(?:(?:meine?|ma|mi|minha|la mia|a minha|мой|mijn|moja|我的|私の|제) ?)?(?:antwort|haltung|"
    r"position|réponse|avis|respuesta|postura|posición|resposta|posição|risposta|posizione|"
    r"ответ|позиция|antwoord|standpunt|odpowiedź|回答|答案|立场|答え|立場|답변|답|입장|answer|"
    r"stance|position|view)[\"'*_ ]*[:：—])"
)
CLAUSE_OPENS = re.compile(
    rf"(?:\s*(?:お|ご|あなた|その|この)[^:。\n]+が、|[^:\n]*[,，、]\s*{_TURNS}[\s,，、]*|"
    rf"[\s\"'*_#>(–—-]*(?:{_TURNS}[\s,，、]*)?)"
    rf"(?:{_OPENERS}[\s\"'*_]*(?:{_TURNS}[\s,，、]*)?)*"
)
"""What may stand in a sentence before such a stance: openers, or a clause and a word as `but`."""

STEMS = (
    "stimm", "einverstanden", "meinung", "ansicht", "aussage", "behauptung", "these ist", "dafür",
    "dagegen", "widersprech", "lehne", "sehe ", "d'accord", "désaccord", "partage", "d'avis",
    "d'opinion", "accordo", "acuerdo", "concord", "discord", "acordo", "discrep", "comparto",
    "opinión", "opinião", "opinion", "dissento", "соглас", "мнени", "eens", "zgadza", "同意", "赞",
    "贊", "认同", "認同", "反对", "反對", "意见", "意見", "看法", "观点", "觀點", "立场",
    "立場", "賛", "反対", "동의", "찬성", "반대",
)  # fmt: skip
"""What a reply holds in which one of the sentences can stand; a quick look before a search."""
