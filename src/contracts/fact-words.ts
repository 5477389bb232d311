/** A list of words, without accents and in lower case; those below are of five languages. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Says that something is another way from now on; nothing else is lost with it. */
export const nowWords = words(`
  now instead anymore longer actually currently correction rather
  jetzt nun ab sofort tatsachlich eigentlich inzwischen mehr stattdessen
  ahora realidad ya ahorita actualmente correccion
  maintenant desormais fait plus dorenavant
  agora verdade ja atualmente mais correcao
`);

/** Verbs that move something to another place, time, name or person. */
export const changeWords = words(`
  moved move moves renamed rename changed change changes switched switch switches became becomes
  shifted postponed rescheduled relocated extended delayed pushed brought migrated migrate
  replaced replaces swapped upgraded downgraded raised lowered increased decreased shortened reduced
  moving slipped slips went rose dropped fell grew climbed sank
  deferred adjourned transferred cut trimmed bumped renewed
  verschoben verlegt umgezogen umbenannt gewechselt geandert verschieben zieht zog umgestiegen
  migriert erhoht gesenkt ersetzt gezogen gelegt vorgezogen vertagt
  cambiado pasado movido trasladado migrado renombrado reemplazado sustituido
  paso pasaron pasa pasan movio movieron mueve mueven traslado trasladaron cambio cambiaron mudo
  mudaron aplazo aplazaron aplazado pospuso pospusieron pospuesto adelanto adelantaron adelantado transferido transferida
  retraso retrasaron retrasado llevaron
  deplace deplacee deplaces deplacees demenage demenagee change changee passe passee passent
  renomme renommee migre remplace remplacee reporte reportee reportes reportees repousse
  repoussee repousses repoussees transfere transferee decale decalee
  decales decalees avance avancee avances avancees
  mudamos passamos trocamos migramos substituimos
  passou passaram mudou mudaram moveu moveram trocou alterou adiado adiada adiados adiadas adiou
  antecipado antecipada antecipou transferidos transferidas
`);

const handoverWords = words(`
  handed hands passed gave ceded transferred turned delegated entrusted took takes inherited assumed
  replaced succeeded superseded relieved stepped stood resigned retired quit left followed follows
  ubergeben ubergibt abgegeben weitergegeben abgetreten ubertragen ubernommen ubernimmt ubernahm
  aufgehort zuruckgetreten ausgeschieden abgelost lost ersetzt folgt
  paso cedio entrego traspaso dejo dio confio asumio heredo tomo recibio relevo sustituyo reemplazo
  sucedio dimitio renuncio ceso pasado cedido entregado reemplazado reemplazada sustituido sustituida
  sucedido sucedida sacaron sacamos hizo
  cede confie passe transmis laisse remis donne repris herite succede remplace remplacee releve
  quitte demissionne pris
  entregou passou cedeu deixou transferiu deu confiou assumiu herdou recebeu substituiu sucedeu
  rendeu renunciou substituido substituida saiu sairam
`);

/** Whether something may pass from one to another in a sentence, behind who has it. */
export function mayHandOver(text: string): boolean {
  return plainWords(text).findIndex((word) => handoverWords.has(word)) > 0;
}

/** Words that link a thing with a statement about it. */
export const linkWords = words(`
  is are was were be been has have had will got get gets does did
  ist sind war waren wurde wurden wird werden hat haben
  es son fue fueron esta estan era eran ha han sera
  est sont etait etaient sera seront ont ete
  e sao foi foram fica ficam estao era eram tem sera
`);

/** Verbs that say where something is or takes place: "runs on port 80", "liegt auf dem Server". */
export const placeWords = words(`
  run runs live lives sit sits stand stands lie lies reside resides listen listens stay stays remain
  remains happen happens occur occurs
  lauft laufen liegt liegen steht stehen sitzt sitzen hangt hangen lauscht wohnt wohnen bleibt
  bleiben findet finden statt stattfindet stattfinden
  corre corren escucha escuchan vive viven queda quedan ocurre ocurren celebra celebran
  funciona funcionan
  tourne tournent ecoute ecoutent habite habitent reste restent
  roda rodam mora moram ocorre ocorrem acontece acontecem
`);

/** Says how exact a value is or how somebody is addressed, and nothing of it. */
export const degreeWords = words(`
  mr mrs ms dr prof mme sr sra herr herrn frau senor senora monsieur madame m
  only just about around roughly nearly almost exactly even usually mostly already
  nur etwa ungefahr rund genau fast meist meistens schon erst
  solo casi aproximadamente
  seulement environ presque deja
  apenas so cerca quase
`);

/** Says what something is, and with what follows at once that it is one thing. */
export const beWords = words(`
  is are was were be been ist sind war waren wird werden es son fue fueron esta estan era eran sera
  est sont etait etaient seront e sao foi foram fica ficam estao
`);

/** Says of a sentence that it is not so. */
export const notWords = words(
  'not isn aren wasn weren doesn don didn hasn won nicht nao pas ne n nunca',
);

/** Verbs whose object is what is chosen: "we use X", "we host at Y". */
export const useWords = words(`
  use uses using used run runs host hosted work works write written deploy deployed buy bought
  benutze benutzt benutzen verwende verwendet verwenden nutze nutzt nutzen nehmen arbeiten setzen
  usamos usa uso utilizamos utiliza empleamos
  utilisons utilise utilisent employons hebergeons hebergent
  usam utilizam
`);

/** Says which one of all: the one that is meant. */
export const ownWords = words(`
  the our my der die das dem den unser unsere mein meine el la los las nuestro nuestra mi le l les
  notre mon ma o os nosso nossa meu minha
`);

/** Behind one of them: the thing that took the place of another, as in "our new CTO". */
export const newWords = words(`
  new neue neuer neues neuen neuem nuevo nueva nuevos nuevas nouveau nouvelle nouvel novo nova
`);

/** Words for one of several things. */
export const someWords = words('a an ein eine einen un una une um uma');

/** Stands for what was spoken of last. */
export const pronouns = words(`
  it he she they that this those
  er sie es das
  eso esto
  il elle ils elles cela ca
  ele ela eles elas isso isto
`);

/** Pronouns that can also stand before a name. */
export const shownPronouns = words('that this those das die esto eso la le les');

/** How a decision or a preference begins, and what it is mostly about. */
export const choiceWords = words(`
  prefer preferred decided decide agreed settled opted use using used go going keep take
  bevorzuge bevorzugen mag lieber haben habe beschlossen entschieden vereinbart uns mich nehmen
  nehme verwenden benutzen nutzen
  prefiero preferimos hemos decidido decidimos decidi acordamos acordado usar utilizar
  prefere preferons avons ai decide convenu on utiliser prendre
  prefiro preferimos decidimos decidi combinamos acordamos usar utilizar
`);

/** Articles, prepositions and the like: nothing is about them. */
export const smallWords = words(`
  the a an of on in at to for by with from into our we i my your you and or as every each any t who
  der die das den dem des ein eine einen einem im am um auf zu zum zur von fur mit bei an in und
  oder wir ich mein meine unser unsere dass alle
  el la los las un una unos unas de del al en por para con a y o nosotros yo mi nuestro nuestra que
  se cada quien
  le la les l un une des du de d au aux en dans pour par avec et ou nous je j mon ma notre que qu
  y c s chaque ce qui
  o os as um uma uns umas do da dos das no na nos nas ao aos em por para com e ou nos eu meu minha
  nosso nossa que cada lo quem
`);

const tellingVerbs = [linkWords, changeWords, placeWords, useWords];

/** Whether a verb that tells stands between two things: "my birthday is on 4 May". */
export function tellsSomething(text: string): boolean {
  const said = plainWords(text);
  const at = said.findIndex((word) => tellingVerbs.some((list) => list.has(word)));
  return at > 0 && at < said.length - 1;
}

/** The words of a sentence as these lists hold them: without accents, in lower case, ß as ss. */
export function plainWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
  return plain.match(/[\p{L}\p{N}]+(?:[.:@/_-][\p{L}\p{N}]+)*/gu) ?? [];
}
