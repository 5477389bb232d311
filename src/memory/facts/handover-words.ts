/** Says that a thing is somebody's to do. */
export const keepWords = new Set(
  `own owner lead leader head maintainer manager keeper responsible charge care take look after have has
   verantwortlich zustandig kummert sich leiter leiterin
   responsable encargado encargada encarga dueno duena responsavel encarregado dono dona
   charge chef occupe`.split(/\s+/),
);

/** What one does with a thing of others: to feel, to know, to say, to use. */
export const feelWords = new Set(
  `likes loves hates dislikes adores admires enjoys prefers misses dreads fears envies trusts doubts wants
   needs knows understands remembers forgets says thinks believes finds hears sees watches reads notices
   calls criticizes criticises praises recommends discusses visits uses attends follows supports joins
   rents borrows buys eats drinks plays rides
   hasst liebt schatzt bewundert furchtet vermisst bevorzugt kennt versteht findet braucht hort sagt denkt
   meint glaubt kritisiert lobt empfiehlt besucht nutzt benutzt verwendet mietet kauft spielt liest sieht isst
   odia ama adora detesta aborrece admira teme prefiere extrana envidia quiere necesita conoce sabe
   entiende recuerda olvida dice piensa cree ve lee critica elogia recomienda visita usa utiliza alquila
   compra come bebe juega disfruta
   deteste adore aime admire apprecie craint redoute regrette prefere connait comprend sait dit pense croit
   voit entend lit critique recommande visite utilise loue achete mange boit joue veut
   gosta odeia receia aprecia inveja quer precisa conhece entende sabe lembra esquece diz pensa acha acredita
   le ouve critica elogia recomenda aluga bebe joga frequenta`.split(/\s+/),
);
