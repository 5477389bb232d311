/**
 * What passes from one to another: "Priya handed the pipeline over to Oskar", "Lara took over from
 * Hugo as fire warden", "Hugo stepped down as fire warden".
 */
export type Handover = {
  /** who had it */
  holder: string;
  /** what passes on; undefined where only persons or programs are named */
  thing?: string;
  /** who has it now */
  next?: string;
  /** the thing is what somebody is: "as fire warden" */
  isRole: boolean;
  /** how the verb of a sentence ends that says what somebody does in general: "waters", "führt" */
  does: RegExp;
  /** words that make of such a verb one of the past: "hat … verwaltet" */
  past: readonly string[];
};

const named = (name: string, most: number) => `(?<${name}>[^\\s,;]+(?:\\s+[^\\s,;]+){0,${most}}?)`;
const parts: Readonly<Record<string, string>> = {
  WHO: named('holder', 3),
  THING: named('thing', 6),
  NEXT: named('next', 3),
};

type Ways = Pick<Handover, 'does' | 'past'> & {
  things: readonly string[];
  roles: readonly string[];
};

/** Without accents and in lower case. What follows a comma says who it is now. */
const languages: readonly Ways[] = [
  {
    does: /[^s]s$/,
    past: ['has', 'had'],
    things: [
      'WHO (?:has |have )?(?:just |now |recently |finally )?(?:handed|hands|passed|passes|gave|gives|given|ceded|transferred|turned|signed|delegated|yielded|left|entrusted)(?: over| on| off)? (?!from )THING(?: over| on| off)? to NEXT',
      'NEXT (?:has |have |now )?(?:takes?|took|taken|inherited|inherits|assumed|assumes|picked)(?: up| over)? (?!over )THING(?: over)? from WHO',
      'THING (?:was|has been|got|is now) (?:handed|passed|given|transferred|turned)(?: over| on| off)? (?:from|by) WHO to NEXT',
    ],
    roles: [
      'WHO (?:was|were|has been|got|is|gets)(?: now)? (?:replaced|succeeded|relieved|superseded|followed) by NEXT as THING',
      'NEXT (?:has )?(?:replace[sd]|succeed(?:s|ed)|relieve[sd]|follow(?:s|ed)|(?:takes|took|taken) over from) WHO as THING',
      'WHO (?:has )?(?:stepped|stood|steps|is stepping) (?:down|back) (?:as|from) THING(?:[,;] (?:and |so )?| and )(?:now )?NEXT (?:has |is |now |will )?(?:took|taken|takes|take|replaces?|replaced|succeeds?|steps|stepped|does|is|follows?|followed)(?: .*)?',
      'WHO (?:has )?(?:stepped|stood|steps|is stepping) (?:down|back) (?:as|from) THING',
      'WHO (?:has )?(?:resigned|retired|quit|left|stopped) (?:as|being|from being) THING[,;] (?:and |so )?NEXT (?:has |is |now |will )?(?:took|taken|takes|take|replaces?|replaced|succeeds?|steps|stepped|does|is|follows?|followed)(?: .*)?',
      'WHO (?:has )?(?:resigned|retired|quit|stopped) (?:as|being|from being) THING',
    ],
  },
  {
    does: /t$/,
    past: ['hat', 'hatte'],
    things: [
      'WHO (?:hat|haben) (?:jetzt )?THING an NEXT (?:ubergeben|abgegeben|weitergegeben|abgetreten|ubertragen|weitergereicht)',
      'WHO THING an NEXT (?:ubergeben|abgegeben|weitergegeben|abgetreten|ubertragen|weitergereicht) (?:hat|haben)',
      'WHO (?:ubergibt|ubertragt|ubergab|ubertrug|gibt|gab) THING an NEXT(?: ab| weiter)?',
      'NEXT (?:hat|haben) (?:jetzt )?THING von WHO ubernommen',
      'NEXT (?:hat|haben) von WHO THING ubernommen',
      'NEXT THING von WHO ubernommen (?:hat|haben)',
      'NEXT (?:ubernimmt|ubernahm) (?:jetzt )?THING von WHO',
      'NEXT (?:ubernimmt|ubernahm) von WHO THING',
    ],
    roles: [
      'WHO (?:hat|ist|wird|wurde) als THING (?:aufgehort|zuruckgetreten|ausgeschieden|abgetreten)(?: (?:ist|hat))?, (?:und )?(?:jetzt )?NEXT (?:hat|ubernimmt|ubernahm|ist|macht|folgt|folgte)(?: .*)?',
      'WHO (?:hat|ist) als THING (?:aufgehort|zuruckgetreten|ausgeschieden|abgetreten)',
      'WHO als THING (?:aufgehort|zuruckgetreten|ausgeschieden|abgetreten) (?:hat|ist)',
      'NEXT (?:hat|haben) WHO als THING (?:abgelost|ersetzt)',
      'NEXT (?:lost|loste|ersetzt|ersetzte) WHO als THING(?: ab)?',
      'NEXT (?:folgt|folgte) (?:auf )?WHO als THING',
      'NEXT (?:ist|wird|wurde) (?:jetzt )?THING als (?:nachfolger|nachfolgerin|ersatz) von WHO',
      'WHO (?:wurde|wird|ist) (?:durch|von) NEXT als THING (?:abgelost|ersetzt)(?: worden)?',
      'WHO (?:wurde|wird|ist) als THING (?:durch|von) NEXT (?:abgelost|ersetzt)(?: worden)?',
    ],
  },
  {
    // "cuida", "dirige", "hacen", and neither "creó" nor "llevaba"
    does: /(?<!ab|i)an?$|en?$|z$/,
    past: ['ha', 'han', 'tem', 'tinha'],
    things: [
      'WHO (?:(?:se )?l[eoa]s? )?(?:ha |han )?(?:paso|cedio|entrego|traspaso|dejo|dio|confio|transfirio|encargo|pasado|cedido|entregado|traspasado|dejado|dado|confiado) (?!del? |de ser )THING al? NEXT',
      'NEXT (?:ha |han )?(?:asumio|heredo|tomo|recibio|asumido|heredado|tomado|recibido|recogio|se quedo con|se hizo cargo) (?:del? )?THING del? WHO',
      'NEXT (?:relevo|sustituyo|reemplazo|sucedio) a(?:l)? WHO (?:en|con) THING',
      'WHO (?:entregou|passou|cedeu|deixou|transferiu|deu|confiou|transmitiu|entrega|passa|cede) (?!d[eoa]s? |para )THING (?:a|ao|aos|as|para|pra|pro) NEXT',
      'NEXT (?:assumiu|herdou|recebeu|assume|tomou conta de|tomou conta d[oa]|ficou com) THING d[eoa]s? WHO',
      'NEXT (?:rendeu|substituiu|sucedeu) (?:a|ao|o)? ?WHO (?:na|no|em|com) THING',
    ],
    roles: [
      'WHO (?:dejo de ser|dimitio como|renuncio como|renuncio a ser|se retiro como|ceso como|ya no es) THING[,;] (?:y )?(?:ahora )?(?:lo es|la es|es|lo hace|l[eoa] (?:sustituye|reemplaza|sucede|releva)) (?:ahora )?NEXT',
      'WHO (?:dejo de ser|dimitio como|renuncio como|renuncio a ser|se retiro como|ceso como) THING[,;] (?:y )?(?:ahora )?NEXT (?:(?:lo|la|le|se) )?(?:es|hace|hizo|sustituye|reemplaza|sucede|releva|tomo|asumio|asume|ocupa)(?: .*)?',
      'WHO (?:dejo de ser|dimitio como|renuncio como|renuncio a ser|se retiro como|ceso como) THING',
      'NEXT (?:ha )?(?:sucedio|relevo|sustituyo|reemplazo|sucedido|relevado|sustituido|reemplazado|sucede|releva|sustituye|reemplaza) al? WHO como THING',
      'a WHO (?:la|lo|le) (?:ha )?(?:sucedio|relevo|sustituyo|reemplazo|sucedido|relevado|sustituido|sucede|releva|sustituye) NEXT como THING',
      'WHO (?:fue|ha sido|es) (?:reemplazad|sustituid|sucedid|relevad)[oa] por NEXT como THING',
      'WHO (?:deixou de ser|renunciou como|demitiu-se de|ja nao e|nao e mais) THING[,;] (?:e )?(?:agora )?(?:quem )?e (?:agora )?NEXT',
      'WHO (?:deixou de ser|renunciou como|demitiu-se de|ja nao e|nao e mais) THING[,;] (?:e )?(?:agora )?NEXT (?:o |a |e )?(?:assumiu|assume|substituiu|substitui|sucedeu|ocupa|e)(?: .*)?',
      'WHO (?:deixou de ser|renunciou como|demitiu-se de) THING',
      'NEXT (?:substituiu|sucedeu|rendeu|substitui|sucede) (?:a |ao |o )?WHO como THING',
      'WHO foi (?:substituid|sucedid|rendid)[oa] (?:por|pel[oa]) NEXT como THING',
    ],
  },
  {
    does: /(?:[et]|[^e]d)$/,
    past: ['a', 'ont', 'avait'],
    things: [
      "WHO (?:a|ont|vient de) (?:cede|confie|passe|transmis|laisse|remis|donne|transfere|ceder|confier|passer)e?s? (?!de |du |d['’])THING (?:a|au|aux) NEXT",
      "NEXT (?:a|ont) (?:repris|herite de|herite du|recupere|pris en charge) THING (?:de |du |d['’])WHO",
      "NEXT (?:a|ont) pris (?:la suite|la releve|la place) (?:de |du |d['’])WHO (?:pour|dans|a) (?:[^\\s,;]+(?:er|ir|re) )?THING",
      'NEXT (?:a succede|succede) (?:a|au) WHO (?:pour|dans|a) THING',
    ],
    roles: [
      "WHO (?:a quitte (?:son|le) poste|a demissionne de son poste|a renonce (?:au|a son) poste) (?:de |du |d['’])THING[,;] (?:et )?(?:c['’]est (?:maintenant |desormais )?)?NEXT(?: (?:le|la|l['’]|lui|prend|a|assure|est).*)?",
      "WHO (?:a quitte (?:son|le) poste|a demissionne de son poste|a renonce (?:au|a son) poste) (?:de |du |d['’])THING",
      "WHO (?:n['’]est plus|a cesse d['’]etre|a demissionne comme) THING[,;] (?:et )?(?:c['’]est (?:maintenant |desormais )?)?NEXT(?: (?:le|la|l['’]|lui|prend|a|assure|est).*)?",
      "WHO (?:a cesse d['’]etre|a demissionne comme) THING",
      'WHO (?:a ete|est|fut) (?:remplace|releve|relaye)e? par NEXT (?:comme|en tant que|au poste de) THING',
      'NEXT (?:a |vient de )?(?:remplace|remplacer|releve) WHO (?:comme|en tant que|au poste de) THING',
      'NEXT (?:a succede|succede) (?:a|au) WHO (?:comme|en tant que|au poste de|pour) THING',
      "NEXT (?:a|ont) pris (?:la suite|la releve|la place) (?:de |du |d['’])WHO (?:comme|en tant que) THING",
    ],
  },
];

const start = String.raw`^(?:(?:the|der|die|das|el|la|los|las|o|a|os|as|le|les)\s+)?`;

const ways = languages.flatMap(({ does, past, things, roles }) => {
  const read = (isRole: boolean) => (form: string) => ({
    find: new RegExp(
      `${start}${form.replace(/WHO|THING|NEXT/g, (part) => parts[part] ?? part).replaceAll(' ', '\\s+')}[.!]?$`,
    ),
    isRole,
    does,
    past,
  });
  return [...roles.map(read(true)), ...things.map(read(false))];
});

/** "… until June": it comes back. */
const forNow =
  /(?<!\p{L})(?:until|till|while|during|temporarily|for (?:now|the (?:day|week|month|summer|weekend)|today)|this week|bis|solange|wahrend|vorubergehend|vertretungsweise|hasta|mientras|durante|temporalmente|de momento|jusqu|pendant|provisoirement|temporairement|ate|enquanto|temporariamente)(?!\p{L})/u;

/** "It is no longer Luc who …", "he handed …": names nobody. */
const noName =
  /^(?:ce|cela|it|es|das|that|this|he|she|we|they|you|i|er|sie|wir|ich|on|nous|je|il|elle)$/;

const maxCharacters = 300;

/** @returns undefined where nothing passes on, or only for a time */
export function readHandover(said: string): Handover | undefined {
  if (said.length > maxCharacters) return undefined;
  const plain = plainText(said);
  if (forNow.test(plain)) return undefined;
  for (const { find, isRole, does, past } of ways) {
    const { holder, thing, next } = find.exec(plain)?.groups ?? {};
    if (holder === undefined || noName.test(holder)) continue;
    return {
      holder,
      ...(thing === undefined ? {} : { thing }),
      ...(next === undefined ? {} : { next }),
      isRole,
      does,
      past,
    };
  }
  return undefined;
}

/** "The book club is now run by Felix": what is done is said, and by whom. */
export type Passive = { thing: string; verb: string; next: string };

const passives = [
  '(?<thing>.+?)\\s+(?:is|are|gets?|will be)\\s+(?:\\S+\\s+)?(?<verb>\\S+(?:ed|en|un|ung|led|kept|held|made|done|taught|built|sold))\\s+(?:\\S+\\s+)?by\\s+(?<next>.+)',
  '(?<thing>.+?)\\s+(?:wird|werden)\\s+(?:\\S+\\s+)?(?:von|durch)\\s+(?<next>.+?)\\s+(?<verb>\\S+(?:t|en))',
  '(?<thing>.+?)\\s+(?:ahora\\s+|agora\\s+)?(?:es|son|e|sao|est|sont)\\s+(?:\\S+\\s+)?(?<verb>\\S+(?:(?:[dts]|ch)[oa]s?|[eitu]e?s?))\\s+(?:\\S+\\s+)?(?:por|pel[oa]s?|par)\\s+(?<next>.+)',
].map((form) => new RegExp(`^${form}[.!]?$`));

/** @returns undefined where nothing is said to be done by somebody */
export function readPassive(said: string): Passive | undefined {
  if (said.length > maxCharacters) return undefined;
  const plain = plainText(said);
  for (const form of passives) {
    const { thing, verb, next } = form.exec(plain)?.groups ?? {};
    if (thing === undefined || verb === undefined || next === undefined) continue;
    return { thing, verb, next };
  }
  return undefined;
}

function plainText(said: string): string {
  return said
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .trim();
}
