/**
 * How people say that something is to be kept in mind, by language. Each pattern begins where a
 * sentence begins; what follows it is the fact. Accents are optional, as at many keyboards.
 */
export type FactForms = {
  language: string;
  /** "remember that …": what follows is a fact */
  tell: RegExp;
  /** "…, remember that": what stands before is a fact */
  tellBehind: RegExp;
  /** "I prefer …": the whole sentence is */
  prefer: RegExp;
  /** "we decided …": the whole sentence is */
  decide: RegExp;
  /** "no, …", "actually …": what follows may correct what was shown just before */
  correct: RegExp;
  /** "… no longer …": its first half says what holds no more */
  denies: RegExp;
  /** the whole sentence, and nothing else: what was said last holds no more */
  end: RegExp;
  /** how a sentence begins that asks */
  asks: RegExp;
  /** "forget …", "forget what I said about …": what follows names what holds no more */
  forget: RegExp;
  /** "forget everything" */
  forgetAll: RegExp;
  /** "what do you know about me?": the whole sentence asks for all that was told */
  lists: RegExp;
  /** "for me everywhere" and "for the team" right behind the first words */
  person: RegExp;
  team: RegExp;
};

export const factForms: readonly FactForms[] = [
  {
    language: 'en',
    tell: /^(?:(?:please|i(?:['’]d like| want) you to|make sure (?:you|to))[\s,]+)*(?:(?:do\s+not|don['’]?t|never)\s+forget|remember|(?:make a |take a )?note(?=\s+that\b|\s*:)|(?:keep|bear) in mind)\b(?:\s+(?:of the fact\s+)?that\b)?[\s:,]+/i,
    tellBehind:
      /\s*[,;.–—-]+\s+(?:please\s+)?(?:remember(?:\s+(?:that|this|it))?|(?:note|write down|jot down|don['’]?t forget)\s+(?:that|this|it)|(?:keep (?:that|this|it) in mind)|(?:write|jot) (?:that|this|it) down)(?:,?\s+please)?[.!]?$/i,
    prefer: /^(?:i|we)(?:\s+(?:now|always|usually|generally))?\s+prefer\b(?:\s+now\b)?/i,
    decide: /^(?:we|the team)(?:['’]ve|\s+have|\s+has)?(?:\s+(?:now|finally|just))?\s+decided\b/i,
    correct:
      /^(?:no\s*[,;:.–—-]|(?:nope|actually|from now on)\b|(?:correction|wrong)\s*[,;:]|(?:that|this|it)(?:['’]s| is| was) (?:wrong|not (?:right|true))\s*[,:;.–—-]|not any\s?more\b)[\s,]*/i,
    denies: /\b(?:no longer|any\s?more|any longer)\b/i,
    forget:
      /^(?:please\s+)?(?:forget|disregard)\s+(?:that\s+(?=\S+\s)|about\s+|(?:what(?:ever)?|everything|all)\s+(?:i|we)(?:['’]ve|\s+have)?\s+(?:said|told\s+you|mentioned|wrote)\s+(?:earlier\s+|before\s+)?(?:about|on|that)\s+|(?:everything|all|the\s+facts?|the\s+notes?|my\s+notes?)\s+(?:about|on|that)\s+)?/i,
    forgetAll:
      /^(?:please\s+)?(?:forget|delete|erase)\s+(?:everything|all|it all)(?:\s+(?:(?:that\s+)?(?:i|we)\b|you\s+(?:know|remember|were told)).*)?[.!]?$/i,
    end: /^(?:no\s*,\s*)?(?:please\s+)?(?:(?:that|this|it)(?:['’]s| is| was)?\s+(?:no longer (?:true|right|correct|valid|the case|current)|not (?:true|right|valid|the case) any\s?more)|(?:that|this|it)\s+no longer\s+(?:holds|applies|counts)|(?:scratch|forget)\s+(?:that|this|what i (?:just )?(?:said|told you))|i take (?:that|it) back)[.!]?$/i,
    asks: /^(?:and\s+|so\s+|but\s+)?(?:(?:to|by|from|for|with|in|on|at|of|about|since|until)\s+)?(?:whom|who|whose|what|which|where|when|why|how|whether|if|is|are|was|were|am|do|does|did|can|could|should|would|will|have|has|had|may|might|must)(?![\w-])|^the (?:bug|time|day|error)\s+(?:in|when|where)\b/i,
    lists:
      /^(?:so,?\s+)?(?:what(?:['’]s|\s+is)?\s+(?:all\s+)?(?:(?:do|did|have|can)\s+(?:you|i|we)\s+(?:all\s+|already\s+)?(?:know|remember(?:ed)?|recall|learn(?:ed)?|tell\s+you|told\s+you|(?:say|said)(?:\s+to\s+you)?|ask(?:ed)?\s+you\s+to\s+(?:remember|note|keep\s+in\s+mind))|in\s+your\s+memory)|(?:list|show)(?:\s+me)?\s+(?:all\s+)?(?:(?:my|your)\s+(?:facts|memories)|(?:the\s+things\s+|everything\s+|what\s+)(?:that\s+)?(?:you\s+(?:know|remember)|i\s+told\s+you|(?:is\s+)?in\s+your\s+memory)))(?:\s+(?:about|of)\s+(?:me|us))?(?:\s+(?:so\s+far|until\s+now|already|yet|earlier|before))?\s*[?.!]*$/i,
    person:
      /^(?:for me(?:\s+(?:everywhere|in every (?:project|workspace)))?|everywhere|in every (?:project|workspace))\b[\s:,]*(?:that\b\s*)?/i,
    team: /^for (?:the|my|our) (?:whole )?team\b[\s:,]*(?:that\b\s*)?/i,
  },
  {
    language: 'de',
    tell: /^(?:bitte\s+)?(?:merke?\s+dir|denke?\s+daran|vergiss\s+nicht(?=\s*:|,?\s*dass\b)|notiere?|behalte?\s+(?:im\s+(?:kopf|hinterkopf)))\b(?:\s+bitte)?[\s:,]+(?:dass\b\s*)?/i,
    tellBehind: /\s*[,;.–—-]+\s+(?:merke?\s+dir\s+das|vergiss\s+das\s+nicht)[.!]?$/i,
    prefer: /^(?:ich\s+(?:bevorzuge|mag\s+lieber|nehme\s+lieber)|wir\s+bevorzugen)(?![\p{L}])/iu,
    decide:
      /^wir\s+haben\s+(?:(?:jetzt|nun)\s+)?(?:uns\s+)?(?:beschlossen|entschieden)(?![\p{L}])/iu,
    correct:
      /^(?:nein\s*[,;:.–—-]|doch\s*,|(?:eigentlich|tats(?:ä|a|ae)chlich|ab\s+(?:jetzt|sofort)|nicht\s+mehr)(?![\p{L}])|(?:korrektur|falsch)\s*[,:]|das\s+(?:stimmt\s+nicht(?:\s+mehr)?|ist\s+falsch)\s*[,:;.–—-])[\s,]*/iu,
    denies: /(?<![\p{L}])(?:nicht|kein\p{L}*)\s+mehr(?![\p{L}])/iu,
    forget:
      /^(?:bitte\s+)?vergiss(?:\s*,|\s+(?!nicht\b))\s*(?:bitte\s*)?(?:,?\s*(?:dass\s+|(?:alles,?\s*)?was\s+ich\s+(?:dir\s+)?(?:(?:ü|u|ue)ber|zum?r?)\s+)|(?:alles|das)\s+(?:(?:ü|u|ue)ber|zum?r?|mit)\s+)?/iu,
    forgetAll:
      /^(?:bitte\s+)?(?:vergiss|l(?:ö|o|oe)sche?)\s+(?:bitte\s+)?alles(?:,?\s+was\s+(?:ich|du|wir)(?![\p{L}]).*)?[.!]?$/iu,
    end: /^(?:nein,?\s+)?(?:(?:das|es|dies)\s+(?:(?:stimmt|gilt)\s+(?:so\s+)?nicht\s+mehr|trifft\s+nicht\s+mehr\s+zu|ist\s+nicht\s+mehr\s+(?:wahr|richtig|so|aktuell|g(?:ü|u|ue)ltig))|vergiss\s+(?:das|dies|was\s+ich\s+(?:gerade\s+|eben\s+)?gesagt\s+habe)(?:\s+wieder)?|ich\s+nehme\s+das\s+zur(?:ü|u|ue)ck)[.!]?$/iu,
    asks: /^(?:und\s+|also\s+|aber\s+)?(?:(?:durch|von|mit|an|auf|in|f(?:ü|u|ue)r|zu|bei|seit|bis|um|aus|nach|gegen|ab|(?:ü|u|ue)ber)\s+)?(?:wo(?:r?(?:an|auf|aus|bei|durch|f(?:ü|u|ue)r|gegen|in|mit|nach|(?:ü|u|ue)ber|um|von|vor|zu))|wie|wer|wem|wen|wessen|was|welche[rsnm]?|wo|woher|wohin|wann|warum|wieso|wie|ob|ist|sind|war|waren|hat|haben|habe|kann|k(?:ö|o)nnen|kannst|soll|sollen|muss|m(?:ü|u)ssen|wird|werden)(?![\p{L}])/iu,
    lists:
      /^(?:was|woran)\s+(?:(?:wei(?:ß|ss)t|erinnerst|merktest)(?:\s+(?:du|dir|dich))*(?:\s+(?:alles|so|schon|bisher))*(?:\s+(?:(?:ü|u|ue)ber|von)\s+(?:mich|mir|uns))?|(?:hast|habe)\s+(?:du|ich)(?:\s+(?:dir|alles|schon|bisher))*\s+(?:gesagt|erz(?:ä|a|ae)hlt|gemerkt|mitgeteilt))\s*[?.!]*$/iu,
    person:
      /^(?:f(?:ü|u|ue)r\s+mich(?:\s+(?:ü|u|ue)berall)?|(?:ü|u|ue)berall)(?![\p{L}])[\s:,]*(?:dass\b\s*)?/iu,
    team: /^f(?:ü|u|ue)r\s+(?:das|unser)\s+(?:ganze\s+)?team\b[\s:,]*(?:dass\b\s*)?/iu,
  },
  {
    language: 'es',
    tell: /^(?:por favor,?\s+)?(?:recuerda|recuérdalo|no\s+(?:te\s+)?olvides?(?:\s+de)?(?=\s*:|,?\s*que\b)|ten\s+en\s+cuenta|anota|apunta)(?![\p{L}])[\s:,]+(?:que\b\s*)?/iu,
    tellBehind: /\s*[,;.–—-]+\s+(?:recu(?:é|e)rdalo|no\s+lo\s+olvides|an(?:ó|o)talo)[.!]?$/iu,
    prefer: /^(?:ahora\s+)?(?:yo\s+)?(?:ahora\s+)?(?:prefiero|preferimos)(?![\p{L}])/iu,
    decide: /^(?:nosotros\s+)?(?:hemos\s+decidido|decidimos)(?![\p{L}])/iu,
    correct:
      /^(?:no\s*[,;:.–—-]|(?:en\s+realidad|de\s+hecho|a\s+partir\s+de\s+ahora|ya\s+no)(?![\p{L}])|(?:correcci(?:ó|o)n|error)\s*[,;:]|eso\s+(?:no\s+es\s+(?:cierto|verdad)|est(?:á|a)\s+mal)\s*[,:;.–—-])[\s,]*/iu,
    denies: /(?<![\p{L}])ya\s+no(?![\p{L}])/iu,
    forget:
      /^(?:por favor,?\s+)?(?:olvida|olv(?:í|i)date\s+de)\s+(?:que\s+|(?:todo\s+)?lo\s+que\s+(?:te\s+)?(?:dije|he\s+dicho|cont(?:é|e))\s+(?:sobre|de|acerca\s+de)\s+|(?:todo\s+)?(?:sobre|acerca\s+de)\s+)?/iu,
    forgetAll: /^(?:por favor,?\s+)?(?:olvida|borra)(?:lo)?\s+todo(?:\s+lo\s+que\s+.*)?[.!]?$/iu,
    end: /^(?:no,?\s+)?(?:(?:(?:eso|esto)\s+)?ya\s+no\s+(?:es\s+(?:cierto|verdad|as(?:í|i)|v(?:á|a)lido|correcto)|vale)|olvida\s+(?:eso|esto|lo\s+que\s+(?:acabo\s+de\s+decir|dije)))[.!]?$/iu,
    asks: /^(?:y\s+|pero\s+)?(?:(?:a|de|con|en|para|por|desde|hasta|sobre)\s+)?(?:¿|qui(?:é|e)n(?:es)?|qu(?:é|e)|cu(?:á|a)l(?:es)?|d(?:ó|o)nde|cu(?:á|a)ndo|por\s+qu(?:é|e)|c(?:ó|o)mo|cu(?:á|a)nt[oa]s?)(?![\p{L}])|^si\s/iu,
    lists:
      /^¿?\s*qu(?:é|e)\s+(?:sabes|recuerdas|(?:te\s+)?(?:he\s+)?(?:dije|dicho|cont(?:é|e)|contado))(?:\s+(?:de|sobre)\s+(?:m(?:í|i)|nosotros))?(?:\s+hasta\s+ahora)?\s*[?.!]*$/iu,
    person:
      /^(?:para\s+m(?:í|i)(?:\s+en\s+todas\s+partes)?|en\s+todas\s+partes)(?![\p{L}])[\s:,]*(?:que\b\s*)?/iu,
    team: /^para\s+(?:el|nuestro)\s+equipo\b[\s:,]*(?:que\b\s*)?/iu,
  },
  {
    language: 'fr',
    tell: /^(?:s['’]il\s+te\s+pla(?:î|i)t,?\s+)?(?:retiens|rappelle-toi|souviens-toi|n['’]oublie\s+pas(?=\s*:|,?\s*qu)|note(?=\s*:|\s+qu)|garde\s+en\s+t(?:ê|e)te)(?![\p{L}])[\s:,]*(?:que\b\s*|qu['’])?/iu,
    tellBehind: /\s*[,;.–—-]+\s+(?:retiens-le|ne\s+l['’]oublie\s+pas|note-le)[.!]?$/iu,
    prefer:
      /^(?:maintenant,?\s+)?(?:je\s+pr(?:é|e)f(?:è|e)re|nous\s+pr(?:é|e)f(?:é|e)rons)(?![\p{L}])/iu,
    decide: /^(?:nous\s+avons|on\s+a)\s+(?:maintenant\s+)?d(?:é|e)cid(?:é|e)(?![\p{L}])/iu,
    correct:
      /^(?:non\s*[,;:.–—-]|(?:en\s+(?:fait|r(?:é|e)alit(?:é|e))|d(?:é|e)sormais|plus\s+maintenant)(?![\p{L}])|(?:correction|faux|erreur)\s*[,;:]|(?:c['’]est\s+faux|ce\s+n['’]est\s+(?:pas|plus)\s+vrai)\s*[,:;.–—-])[\s,]*/iu,
    denies: /(?<![\p{L}])(?:ne\s+|n['’]\s*)\S+\s+plus(?![\p{L}])/iu,
    forget:
      /^(?:s['’]il\s+te\s+pla(?:î|i)t,?\s+)?oublie\s+(?:que\s+|qu['’]|(?:tout\s+)?ce\s+que\s+j['’]ai\s+dit\s+(?:sur|(?:à|a)\s+propos\s+d(?:e|u|es))\s+|(?:tout\s+)?(?:sur|(?:à|a)\s+propos\s+d(?:e|u|es))\s+)?/iu,
    forgetAll:
      /^(?:s['’]il\s+te\s+pla(?:î|i)t,?\s+)?(?:oublie|efface)\s+tout(?:\s+ce\s+que?\s+.*)?[.!]?$/iu,
    end: /^(?:non,?\s+)?(?:(?:ce\s+n['’]est|(?:cela|(?:ç|c)a)\s+n['’]est)\s+plus\s+(?:vrai|le\s+cas|exact|valable)|(?:cela|(?:ç|c)a)\s+ne?\s*(?:vaut|tient)\s+plus|oublie\s+(?:(?:ç|c)a|cela|ce\s+que\s+je\s+viens\s+de\s+dire))[.!]?$/iu,
    asks: /^(?:et\s+|mais\s+)?(?:(?:à|a|de|avec|chez|dans|pour|par|depuis|en|sur|vers|jusqu['’]à)\s+)?(?:qui|que|qu['’]|quoi|quel(?:le)?s?|o(?:ù|u)|quand|pourquoi|comment|combien|est-ce)(?![\p{L}])|^si\s/iu,
    lists:
      /^(?:que\s+sais-tu|qu['’]est-ce\s+que\s+(?:tu\s+sais|je\s+t['’]ai\s+dit)|de\s+quoi\s+te\s+souviens-tu|qu(?:e\s+t)?['’]ai-je\s+dit|tu\s+sais\s+quoi)(?:\s+(?:de|sur)\s+(?:moi|nous))?(?:\s+jusqu['’]ici)?\s*[?.!]*$/iu,
    person: /^(?:pour\s+moi(?:\s+partout)?|partout)(?![\p{L}])[\s:,]*(?:que\b\s*|qu['’])?/iu,
    team: /^pour\s+(?:l['’]|notre\s+|toute\s+l['’])(?:é|e)quipe(?![\p{L}])[\s:,]*(?:que\b\s*|qu['’])?/iu,
  },
  {
    language: 'pt',
    tell: /^(?:por favor,?\s+)?(?:lembra(?:-te)?|lembre(?:-se)?|n(?:ã|a)o\s+(?:[ts]e\s+)?esque(?:ç|c)as?(?=\s*:|,?\s*(?:de\s+)?que\b)|anota|anote|nota|tem\s+em\s+conta|tenha\s+em\s+mente)(?![\p{L}])[\s:,]+(?:de\s+)?(?:que\b\s*)?/iu,
    tellBehind:
      /\s*[,;.–—-]+\s+(?:lembra-te\s+disso|n(?:ã|a)o\s+(?:te\s+)?esque(?:ç|c)as?(?:\s+disso)?|anota\s+isso)[.!]?$/iu,
    prefer: /^(?:agora\s+)?(?:eu\s+)?(?:agora\s+)?(?:prefiro|preferimos)(?![\p{L}])/iu,
    decide: /^(?:n(?:ó|o)s\s+)?decidimos(?![\p{L}])/iu,
    correct:
      /^(?:n(?:ã|a)o\s*[,;:.–—-]|(?:na\s+(?:verdade|realidade)|a\s+partir\s+de\s+agora|j(?:á|a)\s+n(?:ã|a)o)(?![\p{L}])|(?:corre(?:ç|c)(?:ã|a)o|errado)\s*[,;:]|isso\s+(?:est(?:á|a)\s+errado|n(?:ã|a)o\s+(?:é|e)\s+verdade)\s*[,:;.–—-])[\s,]*/iu,
    denies: /(?<![\p{L}])(?:j(?:á|a)\s+n(?:ã|a)o|n(?:ã|a)o\s+\S+\s+mais)(?![\p{L}])/iu,
    forget:
      /^(?:por favor,?\s+)?(?:esquece|esque(?:ç|c)a)\s+(?:que\s+|(?:tudo\s+)?o\s+que\s+(?:eu\s+)?(?:te\s+)?disse\s+(?:sobre|d[oae]s?|acerca\s+d[eoa]s?)\s+|(?:tudo\s+)?(?:sobre|acerca\s+d[eoa]s?)\s+)?/iu,
    forgetAll:
      /^(?:por favor,?\s+)?(?:esquece|esque(?:ç|c)a|apaga|apague)\s+tudo(?:\s+o\s+que\s+.*)?[.!]?$/iu,
    end: /^(?:n(?:ã|a)o,?\s+)?(?:(?:(?:isso|isto)\s+)?j(?:á|a)\s+n(?:ã|a)o\s+(?:(?:é|e)\s+(?:verdade|assim|v(?:á|a)lido|correto)|vale)|esque(?:ce|(?:ç|c)a)\s+(?:isso|isto|o\s+que\s+(?:eu\s+)?(?:acabei\s+de\s+dizer|disse)))[.!]?$/iu,
    asks: /^(?:e\s+|mas\s+)?(?:(?:a|à|de|com|em|para|por|desde|at(?:é|e)|sobre)\s+)?(?:quem|que|o\s+que|qual|quais|onde|quando|por\s*que|porqu(?:ê|e)|como|quant[oa]s?)(?![\p{L}])/iu,
    lists:
      /^(?:o\s+)?que\s+(?:(?:voc(?:ê|e)\s+)?(?:sabes?|lembras?|se\s+lembra)|(?:eu\s+)?(?:(?:te|lhe)\s+)?(?:disse|contei))(?:\s+(?:de|sobre)\s+(?:mim|n(?:ó|o)s))?(?:\s+at(?:é|e)\s+agora)?\s*[?.!]*$/iu,
    person:
      /^(?:para\s+mim(?:\s+em\s+todo\s+lado)?|em\s+todo\s+lado)(?![\p{L}])[\s:,]*(?:que\b\s*)?/iu,
    team: /^para\s+(?:a|o|nossa|nosso)\s+(?:equipa|equipe|time)\b[\s:,]*(?:que\b\s*)?/iu,
  },
];
