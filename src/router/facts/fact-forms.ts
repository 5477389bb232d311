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
  /** "sorry, …", "it turns out …": what follows corrects something, if it is about what is known */
  soft: RegExp;
  /** the whole sentence, and nothing else: what was said last holds no more */
  end: RegExp;
  /** "… no longer …" within a sentence: what it denies holds no more */
  denies: RegExp;
  /** "the demo was moved to Wednesday": corrects what is known, and else is not a fact */
  moves: RegExp;
  /** how a sentence begins that asks */
  asks: RegExp;
  /** a verb with which a statement goes on behind "actually", and a question begins elsewhere */
  goesOn?: RegExp;
  /** "forget …", "forget what I said about …": what follows names what holds no more */
  forget: RegExp;
  /** "forget everything" */
  forgetAll: RegExp;
  /** "what do you know about me?": the whole sentence asks for all that was told */
  lists: RegExp;
  /** how one begins that wants something done */
  orders: RegExp;
  /** "for me everywhere" and "for the team" right behind the first words */
  person: RegExp;
  team: RegExp;
};

export const factForms: readonly FactForms[] = [
  {
    language: 'en',
    tell: /^(?:(?:please|hey|i(?:['’]d like| want) you to|you should|make sure (?:you|to)|try to)[\s,]+)*(?:(?:do\s+not|don['’]?t|never)\s+forget|remember|(?:make a |take a )?note|keep in mind|bear in mind|write down|jot down|for the record|fyi)\b(?:\s+(?:of the fact\s+)?that\b)?[\s:,]+/i,
    tellBehind:
      /[,;.–—-]*\s+(?:please\s+)?(?:remember|(?:make a |take )?note(?: of)?|don['’]?t forget|keep (?:that |this |it )?in mind|(?:write|jot) (?:that |this |it )?down)(?:\s+(?:that|this|it))?(?:,?\s+please)?[.!]?$/i,
    prefer:
      /^(?:i|we)(?:\s+(?:now|always|usually|generally))?(?:['’]d|\s+would)?\s+(?:rather\s+)?prefer\b(?:\s+now\b)?/i,
    decide:
      /^(?:we|i|the team)(?:['’]ve|\s+have)?(?:\s+(?:now|finally|just))?\s+(?:decided|agreed|settled on|opted for)\b/i,
    correct:
      /^(?:no\s*[,;:.–—-]|nope\b[\s,;:.]|actually\b,?|(?:correction|(?:not quite |that['’]s )?(?:wrong|incorrect|false)|not (?:quite|right|true)|typo)\s*[,;:.–—-]|from now on\b,?|as of (?:now|today)\b,?|(?:i was (?:wrong|mistaken)|i misspoke|i made a mistake|my (?:mistake|bad)|scratch that|(?:that|this|it)(?:['’]s| is| was) (?:wrong|incorrect|outdated|not (?:right|true|correct)|no longer (?:right|true|correct)))\s*[,:;.–—-])\s*/i,
    soft: /^(?:(?:oh|ah|well|ok|okay|so|hm+|hey|hi)\b[\s,]+|(?:sorry|oops|wait|hang on|update|heads up|news|btw|by the way|change of plans?|to be precise|small change)\s*[,:;.!–—-]+\s*|(?:in fact|(?:as )?it turns out(?: that)?|turns out(?: that)?|(?:what )?i meant(?: to say)?(?: is| was)?(?: that)?|i should have said(?: that)?|apparently|meanwhile|these days)\b,?\s*)/i,
    forget:
      /^(?:please\s+)?(?:forget|disregard)\s+(?:that\s+(?=\S+\s)|about\s+|(?:what(?:ever)?|everything|all)\s+(?:i|we)(?:['’]ve|\s+have)?\s+(?:said|told\s+you|mentioned|wrote)\s+(?:earlier\s+|before\s+)?(?:about|on|that)\s+|(?:everything|all|the\s+facts?|the\s+notes?|my\s+notes?)\s+(?:about|on|that)\s+)?/i,
    forgetAll:
      /^(?:please\s+)?(?:forget|delete|erase)\s+(?:everything|all|it all)(?:\s+(?:(?:that\s+)?(?:i|we)\b|you\s+(?:know|remember|were told)).*)?[.!]?$/i,
    end: /^(?:no\s*,\s*)?(?:(?:actually|sorry|please)\b,?\s+)?(?:(?:that|this|it)(?:(?:['’]s| is| was)?\s+(?:no longer|not)|\s+(?:is|was)n['’]t)\s+(?:true|right|correct|valid|the case|so|current|up to date)(?:\s+any(?:\s?more|\s+longer))?|(?:that|this|it)(?:['’]s| is| was)\s+(?:wrong|incorrect|false|outdated|obsolete|out of date|a mistake)(?:\s+(?:now|by now))?|(?:that|this|it)\s+(?:no longer\s+(?:holds|applies|counts)|(?:does\s+not|doesn['’]t)\s+(?:hold|apply|count)(?:\s+any(?:\s?more|\s+longer))?)|(?:scratch|strike|forget|disregard|ignore)\s+(?:that|this|what i (?:just )?(?:said|told you))|i take (?:that|it) back)(?:\s*[,;.]\s*(?:please\s+)?(?:forget|scratch|ignore)\s+(?:it|that))?[.!]?$/i,
    denies:
      /(?:\b(?:no longer|no more|not\s+(?:\S+\s+){1,8}?any(?:\s?more|\s+longer)|not any\s?more|stopped\s+\w+ing|used to)|n['’]t\s+(?:\S+\s+){1,8}?any(?:\s?more|\s+longer))\b/i,
    moves:
      /\b(?:moved|moves|renamed|changed|changes|switched|switches|postponed|rescheduled|relocated|extended|shifted|pushed|put off|brought|delayed|deferred|adjourned|migrated|raised|lowered|increased|decreased|reduced|upgraded|downgraded|moving|slipped|slips|went (?:up|down)|rose|dropped|fell|grew|climbed|sank|cut|trimmed|bumped|renewed)\b.*\b(?:to|into|onto|until|till|by)\b|\b(?:left|dropped|ditched|abandoned|traded)\s.*\bfor\b|\brenamed\b|\b(?:is|are) (?:the|our|my) new\b|^(?:the|our|my) new\s+(?:\S+\s+){1,3}?(?:is|are)\b|\b(?:now|instead|nowadays)\b|\b(?:replaced|replaces|swapped|took over|takes over|became)\b|,\s*not\s|(?:\bnot|n['’]t)\s.*(?:\bbut\b|,\s*(?:but\s+)?(?:it|he|she|they)(?:['’]s|['’]re|\s+is|\s+are)\b)|\brather than\b/i,
    asks: /^(?:and\s+|so\s+|but\s+)?(?:(?:to|by|from|for|with|in|on|at|of|about|since|until)\s+)?(?:whom|who|whose|what|which|where|when|why|how|whether|if|is|are|was|were|am|do|does|did|can|could|should|would|will|have|has|had|may|might|must)(?![\w-])|^the (?:bug|time|day|error)\s+(?:in|when|where)\b/i,
    lists:
      /^(?:so,?\s+)?(?:what(?:['’]s|\s+is)?\s+(?:all\s+)?(?:(?:do|did|have|can)\s+(?:you|i|we)\s+(?:all\s+|already\s+)?(?:know|remember(?:ed)?|recall|learn(?:ed)?|tell\s+you|told\s+you|(?:say|said)\s+(?:to\s+you)|ask(?:ed)?\s+you\s+to\s+(?:remember|note|keep\s+in\s+mind))|in\s+your\s+memory)|(?:list|show)(?:\s+me)?\s+(?:all\s+)?(?:(?:my|your)\s+(?:facts|memories)|(?:the\s+things\s+|everything\s+|what\s+)(?:that\s+)?(?:you\s+(?:know|remember)|i\s+told\s+you|(?:is\s+)?in\s+your\s+memory)))(?:\s+(?:about|of)\s+(?:me|us))?(?:\s+(?:so\s+far|until\s+now|already|yet|earlier|before))?\s*[?.!]*$/i,
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
      /^(?:nein\s*[,;:.–—-]|doch\s*,|eigentlich(?![\p{L}]),?|tats(?:ä|a|ae)chlich(?![\p{L}]),?|korrektur\s*[:,]|ab\s+(?:jetzt|sofort|heute)(?![\p{L}]),?|(?:ich\s+habe?\s+mich\s+(?:geirrt|vertan)|mein\s+fehler|falsch|irrtum|tippfehler|das\s+(?:stimmt\s+nicht(?:\s+mehr)?|ist\s+(?:falsch|veraltet)|war\s+falsch))\s*[,:;.–—-])\s*/iu,
    soft: /^(?:(?:oh|ach|ah|also|ok|hm+|naja|hallo)(?![\p{L}])[\s,]+|(?:sorry|entschuldigung|verzeihung|pardon|(?:einen\s+)?moment|halt|update|neuigkeit|(?:ä|a|ae)nderung|plan(?:ä|a|ae)nderung)\s*[,:;.!–—-]+\s*|(?:in\s+wirklichkeit|wie\s+sich\s+zeigt|ich\s+(?:meinte|wollte\s+sagen),?(?:\s+dass)?|inzwischen|mittlerweile|seit\s+(?:heute|gestern|kurzem)|jetzt|nun|neuerdings)(?![\p{L}]),?\s*)/iu,
    goesOn:
      /^(?:ist|sind|war|waren|hat|haben|habe|wird|werden|soll|sollen|muss|m(?:ü|u)ssen|kann|k(?:ö|o)nnen)(?![\p{L}])/iu,
    forget:
      /^(?:bitte\s+)?vergiss(?:\s*,|\s+(?!nicht\b))\s*(?:bitte\s*)?(?:,?\s*(?:dass\s+|(?:alles,?\s*)?was\s+ich\s+(?:dir\s+)?(?:(?:ü|u|ue)ber|zum?r?)\s+)|(?:alles|das)\s+(?:(?:ü|u|ue)ber|zum?r?|mit)\s+)?/iu,
    forgetAll:
      /^(?:bitte\s+)?(?:vergiss|l(?:ö|o|oe)sche?)\s+(?:bitte\s+)?alles(?:,?\s+was\s+(?:ich|du|wir)(?![\p{L}]).*)?[.!]?$/iu,
    end: /^(?:nein,?\s+)?(?:bitte\s+)?(?:(?:das|es|dies)\s+(?:(?:stimmt|gilt|z(?:ä|a|ae)hlt)\s+(?:so\s+)?nicht(?:\s+mehr)?|trifft\s+nicht\s+mehr\s+zu|(?:ist|war)\s+(?:jetzt\s+)?(?:nicht\s+(?:mehr\s+)?(?:wahr|richtig|so|aktuell|g(?:ü|u|ue)ltig|der\s+fall)|falsch|veraltet|(?:ü|u|ue)berholt|hinf(?:ä|a|ae)llig|ein\s+(?:fehler|irrtum)))|vergiss\s+(?:das|dies|was\s+ich\s+(?:gerade\s+|eben\s+)?gesagt\s+habe)(?:\s+(?:wieder|bitte))?|streich(?:e)?\s+das|ich\s+nehme\s+das\s+zur(?:ü|u|ue)ck)[.!]?$/iu,
    denies: /\b(?:nicht|kein\p{L}*)\s+mehr\b/iu,
    moves:
      /(?<![\p{L}])(?:(?:ist|sind)\s+(?:der|die|das|unsere?|meine?)\s+neuer?s?|^(?:der|die|das|unsere?|meine?)\s+neuer?s?\s+\S+\s+(?:ist|sind)|verschoben|verlegt|vertagt|vorgezogen|(?:auf|um)\s+.*gelegt|umgezogen|nach\s+.*gezogen|umbenannt|umgestiegen|gewechselt|wechselt|wechseln|ge(?:ä|a|ae)ndert|erh(?:ö|o|oe)ht|gesenkt|migriert|ersetzt|jetzt|nun|inzwischen|mittlerweile|ab\s+sofort|statt|anstatt|sondern|(?:,\s*nicht))(?![\p{L}])/iu,
    asks: /^(?:und\s+|also\s+|aber\s+)?(?:(?:durch|von|mit|an|auf|in|f(?:ü|u|ue)r|zu|bei|seit|bis|um|aus|nach|gegen|ab|(?:ü|u|ue)ber)\s+)?(?:wo(?:r?(?:an|auf|aus|bei|durch|f(?:ü|u|ue)r|gegen|in|mit|nach|(?:ü|u|ue)ber|um|von|vor|zu))|wie|wer|wem|wen|wessen|was|welche[rsnm]?|wo|woher|wohin|wann|warum|wieso|wie|ob|ist|sind|war|waren|hat|haben|habe|kann|k(?:ö|o)nnen|kannst|soll|sollen|muss|m(?:ü|u)ssen|wird|werden)(?![\p{L}])/iu,
    lists:
      /^(?:was|woran)\s+(?:(?:wei(?:ß|ss)t|erinnerst|merktest)(?:\s+(?:du|dir|dich))*(?:\s+(?:alles|so|schon|bisher))*(?:\s+(?:(?:ü|u|ue)ber|von)\s+(?:mich|mir|uns))?|(?:hast|habe)\s+(?:du|ich)(?:\s+(?:dir|alles|schon|bisher))*\s+(?:gesagt|erz(?:ä|a|ae)hlt|gemerkt|mitgeteilt))\s*[?.!]*$/iu,
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
      /^(?:no\s*[,;:.–—-]|en\s+realidad(?![\p{L}]),?|(?:correcci(?:ó|o)n|falso|incorrecto|errata)\s*[,;:.–—-]|error\s*,|a\s+partir\s+de\s+ahora(?![\p{L}]),?|de\s+hecho(?![\p{L}]),?|(?:me\s+equivoqu(?:é|e)|(?:eso|esto)\s+(?:no\s+es\s+(?:cierto|verdad|correcto)|est(?:á|a)\s+mal|ya\s+no\s+es\s+(?:cierto|verdad))|mejor\s+dicho|corrijo|mi\s+error)\s*[,:;.–—-])\s*/iu,
    soft: /^(?:(?:ah|oh|bueno|ok|pues|oye|hola)(?![\p{L}])[\s,]+|(?:perd(?:ó|o)n|perdona|lo\s+siento|espera|actualizaci(?:ó|o)n|cambio\s+de\s+planes?)\s*[,:;.!–—-]+\s*|(?:la\s+verdad\s+es\s+que|resulta\s+que|quer(?:í|i)a\s+decir(?:\s+que)?|desde\s+(?:hoy|ahora)|a\s+partir\s+de\s+hoy|ahora|actualmente|por\s+cierto)(?![\p{L}]),?\s*)/iu,
    forget:
      /^(?:por favor,?\s+)?(?:olvida|olv(?:í|i)date\s+de)\s+(?:que\s+|(?:todo\s+)?lo\s+que\s+(?:te\s+)?(?:dije|he\s+dicho|cont(?:é|e))\s+(?:sobre|de|acerca\s+de)\s+|(?:todo\s+)?(?:sobre|acerca\s+de)\s+)?/iu,
    forgetAll: /^(?:por favor,?\s+)?(?:olvida|borra)(?:lo)?\s+todo(?:\s+lo\s+que\s+.*)?[.!]?$/iu,
    end: /^(?:no,?\s+)?(?:(?:(?:eso|esto)\s+)?ya\s+no\s+(?:es\s+(?:cierto|verdad|as(?:í|i)|v(?:á|a)lido|correcto)|vale|(?:se\s+)?aplica|cuenta)|(?:eso|esto)\s+(?:no\s+es\s+(?:cierto|verdad|correcto|as(?:í|i))|(?:es|era)\s+(?:falso|incorrecto|un\s+error)|est(?:á|a)(?:ba)?\s+(?:mal|anticuado|desfasado))|(?:olvida|ignora)\s+(?:eso|esto|lo\s+que\s+(?:acabo\s+de\s+decir|dije)))[.!]?$/iu,
    denies: /(?<![\p{L}])ya\s+no(?![\p{L}])/iu,
    moves:
      /(?<![\p{L}])(?:(?:es|son)\s+(?:el|la|nuestr[oa]|mi)\s+nuev[oa]|^(?:el|la|nuestr[oa]|mi)\s+nuev[oa]\s+\S+\s+es|se\s+(?:movi(?:ó|o)|movieron|traslad(?:ó|o)|trasladaron|mud(?:ó|o)|mudaron|cambi(?:ó|o)|cambiaron|aplaz(?:ó|o|aron)|pospus(?:o|ieron)|adelant(?:ó|o|aron)|retras(?:ó|o|aron))|l[oa]s?\s+(?:llev(?:aron|amos|ó|o)|pusieron|pusimos)\s+(?:a|en)|(?:fue|ha\s+sido)\s+(?:aplazad|pospuest|adelantad|retrasad|movid|trasladad)[oa]s?|pas(?:ó|aron)\s+(?:a|de)|(?:hemos|ha|han)\s+(?:cambiado|pasado|movido|migrado|trasladado|reemplazado|sustituido|renombrado)|cambiamos|cambiaron|pasamos|migramos|movimos|movieron|trasladaron|reemplazamos|sustituimos|reemplaza|sustituye|ahora|en\s+(?:lugar|vez)\s+de|sino|(?:,\s*no)\s)(?![\p{L}])/iu,
    asks: /^(?:y\s+|pero\s+)?(?:(?:a|de|con|en|para|por|desde|hasta|sobre)\s+)?(?:¿|qui(?:é|e)n(?:es)?|qu(?:é|e)|cu(?:á|a)l(?:es)?|d(?:ó|o)nde|cu(?:á|a)ndo|por\s+qu(?:é|e)|c(?:ó|o)mo|cu(?:á|a)nt[oa]s?)(?![\p{L}])|^si\s/iu,
    lists:
      /^¿?\s*qu(?:é|e)\s+(?:sabes|recuerdas|te\s+(?:he\s+)?(?:dije|dicho|cont(?:é|e)|contado))(?:\s+(?:de|sobre)\s+(?:m(?:í|i)|nosotros))?(?:\s+hasta\s+ahora)?\s*[?.!]*$/iu,
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
      /^(?:non\s*[,;:.–—-]|en\s+fait(?![\p{L}]),?|en\s+r(?:é|e)alit(?:é|e)(?![\p{L}]),?|(?:correction|faux|inexact|coquille)\s*[,;:.–—-]|d(?:é|e)sormais(?![\p{L}]),?|(?:à|a)\s+partir\s+de\s+maintenant(?![\p{L}]),?|(?:je\s+me\s+suis\s+tromp(?:é|e)e?|c['’]est\s+faux|ce\s+n['’]est\s+(?:pas|plus)\s+(?:vrai|exact|juste)|mon\s+erreur)\s*[,:;.–—-]|erreur\s*,)\s*/iu,
    soft: /^(?:(?:ah|oh|bon|ok|alors|hé|bonjour)(?![\p{L}])[\s,]+|(?:pardon|d(?:é|e)sol(?:é|e)e?|attends|mise\s+(?:à|a)\s+jour|changement\s+de\s+programme)\s*[,:;.!–—-]+\s*|(?:finalement|je\s+voulais\s+dire(?:\s+que)?|dor(?:é|e)navant|maintenant|actuellement|au\s+fait|il\s+s['’]av(?:è|e)re\s+que?|(?:à|a)\s+partir\s+d['’]aujourd['’]hui)(?![\p{L}]),?\s*)/iu,
    forget:
      /^(?:s['’]il\s+te\s+pla(?:î|i)t,?\s+)?oublie\s+(?:que\s+|qu['’]|(?:tout\s+)?ce\s+que\s+j['’]ai\s+dit\s+(?:sur|(?:à|a)\s+propos\s+d(?:e|u|es))\s+|(?:tout\s+)?(?:sur|(?:à|a)\s+propos\s+d(?:e|u|es))\s+)?/iu,
    forgetAll:
      /^(?:s['’]il\s+te\s+pla(?:î|i)t,?\s+)?(?:oublie|efface)\s+tout(?:\s+ce\s+que?\s+.*)?[.!]?$/iu,
    end: /^(?:non,?\s+)?(?:(?:ce\s+n['’]est|c['’]est|(?:cela|(?:ç|c)a)\s+n['’]est)\s+(?:plus|pas)\s+(?:vrai|le\s+cas|exact|valable|juste|correct)|(?:c['’]est|c['’](?:é|e)tait)\s+(?:faux|p(?:é|e)rim(?:é|e)|d(?:é|e)pass(?:é|e)|obsol(?:è|e)te|une\s+erreur)|(?:cela|(?:ç|c)a)\s+ne?\s*(?:vaut|tient|compte|s['’]applique)\s+plus|(?:oublie|ignore)\s+(?:(?:ç|c)a|cela|ce\s+que\s+je\s+viens\s+de\s+dire))[.!]?$/iu,
    denies: /(?<![\p{L}])(?:ne\s+|n['’]\s*)\S+\s+plus(?![\p{L}])/iu,
    moves:
      /(?<![\p{L}])(?:est\s+(?:le|la|notre|mon|ma)\s+nouve(?:au|lle|l)|^(?:le|la|notre|mon|ma)\s+nouve(?:au|lle|l)\s+\S+\s+est|d(?:é|e)plac(?:é|e)e?s?|(?:report|repouss)(?:é|e)e?s?\s+(?:au|aux|à|a|en|de|d['’])|d(?:é|e)cal(?:é|e)e?s?|avanc(?:é|e)e?s?\s+(?:au|à|a)|d(?:é|e)m(?:é|e)nag(?:é|e)e?s?|renomm(?:é|e)e?s?|pass(?:é|e)e?s?\s+(?:aux?|à|de|du)|migr(?:é|e)e?s?|chang(?:é|e)e?s?|remplac(?:é|e)e?s?|remplace|maintenant|d(?:é|e)sormais|dor(?:é|e)navant|au\s+lieu\s+d|(?:à|a)\s+la\s+place\s+d|(?:,\s*(?:et\s+)?(?:non|pas))\s)(?![\p{L}])/iu,
    asks: /^(?:et\s+|mais\s+)?(?:(?:à|a|de|avec|chez|dans|pour|par|depuis|en|sur|vers|jusqu['’]à)\s+)?(?:qui|que|qu['’]|quoi|quel(?:le)?s?|o(?:ù|u)|quand|pourquoi|comment|combien|est-ce)(?![\p{L}])|^si\s/iu,
    lists:
      /^(?:que\s+sais-tu|qu['’]est-ce\s+que\s+(?:tu\s+sais|je\s+t['’]ai\s+dit)|de\s+quoi\s+te\s+souviens-tu|que\s+t['’]ai-je\s+dit|tu\s+sais\s+quoi)(?:\s+(?:de|sur)\s+(?:moi|nous))?(?:\s+jusqu['’]ici)?\s*[?.!]*$/iu,
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
      /^(?:n(?:ã|a)o\s*[,;:.–—-]|na\s+verdade(?![\p{L}]),?|na\s+realidade(?![\p{L}]),?|(?:corre(?:ç|c)(?:ã|a)o|errado|falso|incorreto|gralha)\s*[,;:.–—-]|a\s+partir\s+de\s+agora(?![\p{L}]),?|(?:enganei-me|errei|(?:isso|isto)\s+(?:est(?:á|a)\s+errado|n(?:ã|a)o\s+(?:é|e)\s+(?:verdade|certo)|j(?:á|a)\s+n(?:ã|a)o\s+(?:é|e)\s+verdade)|corrigindo|corrijo|erro\s+meu)\s*[,:;.–—-])\s*/iu,
    soft: /^(?:(?:ah|oh|bem|ok|pois|ol(?:á|a)|oi)(?![\p{L}])[\s,]+|(?:desculpa|desculpe|perd(?:ã|a)o|espera|ali(?:á|a)s|atualiza(?:ç|c)(?:ã|a)o|mudan(?:ç|c)a\s+de\s+planos)\s*[,:;.!–—-]+\s*|(?:afinal|queria\s+dizer(?:\s+que)?|de\s+agora\s+em\s+diante|a\s+partir\s+de\s+hoje|agora|atualmente|a\s+prop(?:ó|o)sito)(?![\p{L}]),?\s*)/iu,
    forget:
      /^(?:por favor,?\s+)?(?:esquece|esque(?:ç|c)a)\s+(?:que\s+|(?:tudo\s+)?o\s+que\s+(?:eu\s+)?(?:te\s+)?disse\s+(?:sobre|d[oae]s?|acerca\s+d[eoa]s?)\s+|(?:tudo\s+)?(?:sobre|acerca\s+d[eoa]s?)\s+)?/iu,
    forgetAll:
      /^(?:por favor,?\s+)?(?:esquece|esque(?:ç|c)a|apaga|apague)\s+tudo(?:\s+o\s+que\s+.*)?[.!]?$/iu,
    end: /^(?:n(?:ã|a)o,?\s+)?(?:(?:(?:isso|isto)\s+)?j(?:á|a)\s+n(?:ã|a)o\s+(?:(?:é|e)\s+(?:verdade|assim|v(?:á|a)lido|correto)|vale|se\s+aplica|conta)|(?:isso|isto)\s+(?:n(?:ã|a)o\s+(?:(?:é|e)\s+(?:mais\s+)?(?:verdade|assim|v(?:á|a)lido|certo|correto)|vale\s+mais|se\s+aplica\s+mais)|est(?:á|a|ava)\s+(?:errado|desatualizado)|(?:é|e|era|foi)\s+(?:falso|um\s+erro))|(?:esquece|esque(?:ç|c)a|ignora|ignore)\s+(?:isso|isto|o\s+que\s+(?:eu\s+)?(?:acabei\s+de\s+dizer|disse)))[.!]?$/iu,
    denies: /(?<![\p{L}])(?:j(?:á|a)\s+n(?:ã|a)o|n(?:ã|a)o\s+\S+\s+mais)(?![\p{L}])/iu,
    moves:
      /(?<![\p{L}])(?:(?:é|e)\s+(?:[oa]|noss[oa]|meu|minha)\s+nov[oa]|^(?:[oa]|noss[oa]|meu|minha)\s+nov[oa]\s+\S+\s+(?:é|e)|passou|passaram|pass(?:á|a)mos|mud(?:ou|aram|(?:á|a)mos)|moveu|(?:foi|foram)\s+(?:movid|adiad|antecipad|transferid)[oa]s?|adiou|adi(?:á|a)mos|antecip(?:ou|(?:á|a)mos)|troc(?:ou|(?:á|a)mos)|migr(?:ou|(?:á|a)mos)|substitu(?:i|iu|(?:í|i)mos)|alter(?:ou|(?:á|a)mos)|agora|em\s+(?:vez|lugar)\s+d|(?:,\s*(?:e\s+)?n(?:ã|a)o)\s)(?![\p{L}])/iu,
    asks: /^(?:e\s+|mas\s+)?(?:(?:a|à|de|com|em|para|por|desde|at(?:é|e)|sobre)\s+)?(?:quem|que|o\s+que|qual|quais|onde|quando|por\s*que|porqu(?:ê|e)|como|quant[oa]s?)(?![\p{L}])/iu,
    lists:
      /^(?:o\s+)?que\s+(?:(?:voc(?:ê|e)\s+)?(?:sabes?|lembras?|se\s+lembra)|(?:eu\s+)?(?:te|lhe)\s+(?:disse|contei))(?:\s+(?:de|sobre)\s+(?:mim|n(?:ó|o)s))?(?:\s+at(?:é|e)\s+agora)?\s*[?.!]*$/iu,
    orders: /^(?:mostra|mostre|lista|liste|procura|procure|explica|explique|diz|diga)(?![\p{L}])/iu,
    person:
      /^(?:para\s+mim(?:\s+em\s+todo\s+lado)?|em\s+todo\s+lado)(?![\p{L}])[\s:,]*(?:que\b\s*)?/iu,
    team: /^para\s+(?:a|o|nossa|nosso)\s+(?:equipa|equipe|time)\b[\s:,]*(?:que\b\s*)?/iu,
  },
];
