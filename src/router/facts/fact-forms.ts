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
  /** "no, …", "actually …": what follows corrects something */
  correct: RegExp;
  /** the whole sentence, and nothing else: what was said last holds no more */
  end: RegExp;
  /** "… no longer …" within a sentence: what it denies holds no more */
  denies: RegExp;
  /** "the demo was moved to Wednesday": corrects what is known, and else is not a fact */
  moves: RegExp;
  /** how a sentence begins that asks */
  asks: RegExp;
  /** how one begins that wants something done */
  orders: RegExp;
  /** "for me everywhere" and "for the team" right behind the first words */
  person: RegExp;
  team: RegExp;
};

export const factForms: readonly FactForms[] = [
  {
    language: 'en',
    tell: /^(?:please\s+)?(?:(?:do\s+not|don['’]?t|never)\s+forget|remember|note|keep in mind|bear in mind|for the record|fyi)\b(?:\s+that\b)?[\s:,]+/i,
    tellBehind:
      /[,;.]?\s+(?:please\s+)?(?:remember|note|don['’]?t forget|keep in mind)(?:\s+(?:that|this|it))?[.!]?$/i,
    prefer:
      /^(?:i|we)(?:\s+(?:now|always|usually|generally))?(?:['’]d|\s+would)?\s+(?:rather\s+)?prefer\b(?:\s+now\b)?/i,
    decide:
      /^(?:we|i|the team)(?:['’]ve|\s+have)?(?:\s+(?:now|finally|just))?\s+(?:decided|agreed|settled on|opted for)\b/i,
    correct:
      /^(?:no\s*[,;:.–—-]|nope\b[\s,;:.]|actually\b,?|correction\s*[:,]|from now on\b,?|as of (?:now|today)\b,?|i was wrong\s*[,:;])\s*/i,
    end: /^(?:(?:no\s*,\s*)?(?:actually,?\s+)?(?:that|this|it)(?:['’]s| is| was)?\s+(?:no longer|not)\s+(?:true|right|correct|valid|the case)(?:\s+any\s?more)?|(?:that|this|it)(?:['’]s| is)\s+(?:wrong|outdated|out of date))[.!]?$/i,
    denies: /\b(?:no longer|not\s+\S+\s+any\s?more|not any\s?more|instead of)\b/i,
    moves:
      /\b(?:moved|moves|renamed|changed|changes|switched|switches|postponed|rescheduled|relocated|extended|shifted)\b.*\bto\b|\bnow\b|\binstead of\b/i,
    asks: /^(?:and\s+|so\s+|but\s+)?(?:who|whose|what|which|where|when|why|how|whether|if|is|are|was|were|am|do|does|did|can|could|should|would|will|have|has|had|may|might|must)(?![\w-])|^the (?:bug|time|day|error)\s+(?:in|when|where)\b/i,
    orders:
      /^(?:show|list|find|explain|tell|give|print|search|open|read|run|fix|look|let me|please|help|me)\b/i,
    person:
      /^(?:for me(?:\s+(?:everywhere|in every (?:project|workspace)))?|everywhere|in every (?:project|workspace))\b[\s:,]*(?:that\b\s*)?/i,
    team: /^for (?:the|my|our) (?:whole )?team\b[\s:,]*(?:that\b\s*)?/i,
  },
  {
    language: 'de',
    tell: /^(?:bitte\s+)?(?:merke?\s+dir|denke?\s+daran|vergiss\s+nicht|notiere?|behalte?\s+(?:im\s+(?:kopf|hinterkopf)))\b(?:\s+bitte)?[\s:,]+(?:dass\b\s*)?/i,
    tellBehind: /[,;.]?\s+(?:merke?\s+dir\s+das|vergiss\s+das\s+nicht)[.!]?$/i,
    prefer: /^(?:ich\s+(?:bevorzuge|mag\s+lieber|nehme\s+lieber)|wir\s+bevorzugen)(?![\p{L}])/iu,
    decide:
      /^(?:wir|ich)\s+(?:haben|habe)\s+(?:(?:jetzt|nun)\s+)?(?:uns\s+|mich\s+)?(?:beschlossen|entschieden|vereinbart)(?![\p{L}])/iu,
    correct:
      /^(?:nein\s*[,;:.–—-]|doch\s*,|eigentlich(?![\p{L}]),?|tats(?:ä|a|ae)chlich(?![\p{L}]),?|korrektur\s*[:,]|ab\s+(?:jetzt|sofort)(?![\p{L}]),?)\s*/iu,
    end: /^(?:nein,?\s+)?(?:das|es)\s+(?:stimmt|gilt)\s+(?:so\s+)?nicht(?:\s+mehr)?[.!]?$/i,
    denies: /\b(?:nicht|kein\p{L}*)\s+mehr\b/iu,
    moves:
      /(?<![\p{L}])(?:verschoben|verlegt|umgezogen|umbenannt|jetzt|nun|ab\s+sofort)(?![\p{L}])/iu,
    asks: /^(?:und\s+|also\s+|aber\s+)?(?:wer|wem|wen|wessen|was|welche[rsnm]?|wo|woher|wohin|wann|warum|wieso|wie|ob|ist|sind|war|waren|hat|haben|habe|kann|k(?:ö|o)nnen|kannst|soll|sollen|muss|m(?:ü|u)ssen|wird|werden)(?![\p{L}])/iu,
    orders: /^(?:zeige?|liste|finde|erkl(?:ä|a)re?|sage?|gib|suche?|bitte)(?![\p{L}])/iu,
    person:
      /^(?:f(?:ü|u|ue)r\s+mich(?:\s+(?:ü|u|ue)berall)?|(?:ü|u|ue)berall)(?![\p{L}])[\s:,]*(?:dass\b\s*)?/iu,
    team: /^f(?:ü|u|ue)r\s+(?:das|unser)\s+(?:ganze\s+)?team\b[\s:,]*(?:dass\b\s*)?/iu,
  },
  {
    language: 'es',
    tell: /^(?:por favor,?\s+)?(?:recuerda|recuérdalo|no\s+(?:te\s+)?olvides?(?:\s+de)?|ten\s+en\s+cuenta|anota|apunta)(?![\p{L}])[\s:,]+(?:que\b\s*)?/iu,
    tellBehind: /[,;.]?\s+(?:recu(?:é|e)rdalo|no\s+lo\s+olvides|an(?:ó|o)talo)[.!]?$/iu,
    prefer: /^(?:ahora\s+)?(?:yo\s+)?(?:ahora\s+)?(?:prefiero|preferimos)(?![\p{L}])/iu,
    decide:
      /^(?:nosotros\s+)?(?:hemos\s+decidido|decidimos|decid(?:í|i)|acordamos|hemos\s+acordado)(?![\p{L}])/iu,
    correct:
      /^(?:no\s*[,;:.–—-]|en\s+realidad(?![\p{L}]),?|correcci(?:ó|o)n\s*[:,]|a\s+partir\s+de\s+ahora(?![\p{L}]),?|de\s+hecho(?![\p{L}]),?)\s*/iu,
    end: /^(?:no,?\s+)?(?:eso|esto)\s+ya\s+no\s+es\s+(?:cierto|verdad|as(?:í|i)|v(?:á|a)lido)[.!]?$/iu,
    denies: /(?<![\p{L}])ya\s+no(?![\p{L}])/iu,
    moves:
      /(?<![\p{L}])(?:se\s+(?:movi(?:ó|o)|movieron|traslad(?:ó|o)|trasladaron|mud(?:ó|o)|mudaron|cambi(?:ó|o)|cambiaron)|pas(?:ó|aron)\s+a|ahora)(?![\p{L}])/iu,
    asks: /^(?:y\s+|pero\s+)?(?:¿|qui(?:é|e)n(?:es)?|qu(?:é|e)|cu(?:á|a)l(?:es)?|d(?:ó|o)nde|cu(?:á|a)ndo|por\s+qu(?:é|e)|c(?:ó|o)mo|cu(?:á|a)nt[oa]s?)(?![\p{L}])|^si\s/iu,
    orders: /^(?:muestra|mu(?:é|e)strame|lista|busca|explica|dime|dame)(?![\p{L}])/iu,
    person:
      /^(?:para\s+m(?:í|i)(?:\s+en\s+todas\s+partes)?|en\s+todas\s+partes)(?![\p{L}])[\s:,]*(?:que\b\s*)?/iu,
    team: /^para\s+(?:el|nuestro)\s+equipo\b[\s:,]*(?:que\b\s*)?/iu,
  },
  {
    language: 'fr',
    tell: /^(?:s['’]il\s+te\s+pla(?:î|i)t,?\s+)?(?:retiens|rappelle-toi|souviens-toi|n['’]oublie\s+pas|note|garde\s+en\s+t(?:ê|e)te)(?![\p{L}])[\s:,]*(?:que\b\s*|qu['’])?/iu,
    tellBehind: /[,;.]?\s+(?:retiens-le|ne\s+l['’]oublie\s+pas|note-le)[.!]?$/iu,
    prefer:
      /^(?:maintenant,?\s+)?(?:je\s+pr(?:é|e)f(?:è|e)re|nous\s+pr(?:é|e)f(?:é|e)rons)(?![\p{L}])/iu,
    decide:
      /^(?:nous\s+avons|on\s+a|j['’]ai)\s+(?:maintenant\s+)?(?:d(?:é|e)cid(?:é|e)|convenu)(?![\p{L}])/iu,
    correct:
      /^(?:non\s*[,;:.–—-]|en\s+fait(?![\p{L}]),?|en\s+r(?:é|e)alit(?:é|e)(?![\p{L}]),?|correction\s*[:,]|d(?:é|e)sormais(?![\p{L}]),?|(?:à|a)\s+partir\s+de\s+maintenant(?![\p{L}]),?)\s*/iu,
    end: /^(?:non,?\s+)?(?:ce\s+n['’]est|c['’]est|cela\s+n['’]est|ça\s+n['’]est)\s+plus\s+(?:vrai|le\s+cas|exact|valable)[.!]?$/iu,
    denies: /(?<![\p{L}])(?:ne|n['’])\s*\S+\s+plus(?![\p{L}])/iu,
    moves:
      /(?<![\p{L}])(?:d(?:é|e)plac(?:é|e)e?s?|d(?:é|e)m(?:é|e)nag(?:é|e)e?s?|renomm(?:é|e)e?s?|pass(?:é|e)e?s?\s+(?:au?|à)|maintenant|d(?:é|e)sormais)(?![\p{L}])/iu,
    asks: /^(?:et\s+|mais\s+)?(?:qui|que|qu['’]|quoi|quel(?:le)?s?|o(?:ù|u)|quand|pourquoi|comment|combien|est-ce)(?![\p{L}])|^si\s/iu,
    orders: /^(?:montre|liste|cherche|trouve|explique|dis|donne)(?![\p{L}])/iu,
    person: /^(?:pour\s+moi(?:\s+partout)?|partout)(?![\p{L}])[\s:,]*(?:que\b\s*|qu['’])?/iu,
    team: /^pour\s+(?:l['’]|notre\s+|toute\s+l['’])(?:é|e)quipe(?![\p{L}])[\s:,]*(?:que\b\s*|qu['’])?/iu,
  },
  {
    language: 'pt',
    tell: /^(?:por favor,?\s+)?(?:lembra(?:-te)?|lembre(?:-se)?|n(?:ã|a)o\s+(?:te\s+)?esque(?:ç|c)as?|n(?:ã|a)o\s+se\s+esque(?:ç|c)a|anota|anote|nota|tem\s+em\s+conta|tenha\s+em\s+mente)(?![\p{L}])[\s:,]+(?:de\s+)?(?:que\b\s*)?/iu,
    tellBehind:
      /[,;.]?\s+(?:lembra-te\s+disso|n(?:ã|a)o\s+(?:te\s+)?esque(?:ç|c)as?(?:\s+disso)?|anota\s+isso)[.!]?$/iu,
    prefer: /^(?:agora\s+)?(?:eu\s+)?(?:agora\s+)?(?:prefiro|preferimos)(?![\p{L}])/iu,
    decide: /^(?:n(?:ó|o)s\s+)?(?:decidimos|decidi|combinamos|acordamos)(?![\p{L}])/iu,
    correct:
      /^(?:n(?:ã|a)o\s*[,;:.–—-]|na\s+verdade(?![\p{L}]),?|na\s+realidade(?![\p{L}]),?|corre(?:ç|c)(?:ã|a)o\s*[:,]|a\s+partir\s+de\s+agora(?![\p{L}]),?)\s*/iu,
    end: /^(?:n(?:ã|a)o,?\s+)?(?:isso|isto)\s+(?:j(?:á|a)\s+n(?:ã|a)o\s+(?:é|e)\s+(?:verdade|assim|v(?:á|a)lido)|n(?:ã|a)o\s+(?:é|e)\s+mais\s+(?:verdade|assim|v(?:á|a)lido))[.!]?$/iu,
    denies: /(?<![\p{L}])(?:j(?:á|a)\s+n(?:ã|a)o|n(?:ã|a)o\s+\S+\s+mais)(?![\p{L}])/iu,
    moves:
      /(?<![\p{L}])(?:passou|passaram|mud(?:ou|aram)|moveu|foi\s+movid[oa]|foram\s+movid[oa]s|agora)(?![\p{L}])/iu,
    asks: /^(?:e\s+|mas\s+)?(?:quem|que|o\s+que|qual|quais|onde|quando|por\s*que|porqu(?:ê|e)|como|quant[oa]s?)(?![\p{L}])/iu,
    orders: /^(?:mostra|mostre|lista|liste|procura|procure|explica|explique|diz|diga)(?![\p{L}])/iu,
    person:
      /^(?:para\s+mim(?:\s+em\s+todo\s+lado)?|em\s+todo\s+lado)(?![\p{L}])[\s:,]*(?:que\b\s*)?/iu,
    team: /^para\s+(?:a|o|nossa|nosso)\s+(?:equipa|equipe|time)\b[\s:,]*(?:que\b\s*)?/iu,
  },
];
