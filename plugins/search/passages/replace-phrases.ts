/**
 * Turns of speech whose words each mean something else, in all their forms, and the words to
 * look for instead; nothing behind the colon drops the turn.
 */
const table = `
get rid of: remove
throw away|throw out: discard
leave out: omit
left out: omit
leave alone: skip
let through: allow
give up|gives up|gave up|giving up: limit
give back: return
hand out|handed out: return
hand on|handed on|hand over|handed over|pass on|passed on: forward
hand back|handed back: return
hold back|held back: wait
run out|runs out|ran out: expire
out of date: stale
out of order: order
out of range: range
look up|looks up|looked up: lookup
look for|looks for|looked for|looking for: search
find out|finds out|found out: detect
tell apart|tells apart|told apart: distinguish
tell from: distinguish
make sure|makes sure: ensure
set up|sets up: initialize
set aside: reserve
shut down|shuts down: shutdown
switch off|switched off|turn off|turned off: disable
switch on|switched on|turn on|turned on: enable
turn into|turned into|turns into|made into|make into: convert
become text: stringify
becomes text: stringify
turned back into|turn back into: decode
put together|puts together: combine
put back: restore
put off: defer
take apart|taken apart|takes apart: parse
take away|taken away: remove
take over|takes over: inherit
taken out: remove
take out: remove
work out|works out|worked out: calculate
carry on|carries on: continue
go on|goes on: continue
go wrong|goes wrong|went wrong: error
go through: iterate
go down|going down: descend
go back: revert
keep track of|keeps track of: track
keep out: exclude
kept out: exclude
kept apart: separate
keep alive|kept alive: keepalive
cut off|cuts off: truncate
cut short: truncate
break up|broken up: split
clean up|cleans up|cleaned up: cleanup
start over: restart
fall back|falls back: fallback
end up as|ends up as: convert
at once|at the same time: concurrent
at most: max
at least: min
no more than: max
no longer than: max
how many: count limit
how much: size limit
how long: long timeout
how often: interval count
how deep: depth
how big|how large: size limit
how wide: width
how far: depth limit
how old: age
too many: max limit
too much: limit exceed
too long: timeout length
too large|too big: max size limit
too small|too short: min
too deep: depth
too old: stale version
too new: version
by itself|on its own: auto
by hand: manual
more than once|several times|again and again: repeat
one after another|one after the other|one by one: sequential
in the background: background
in a row: consecutive
run time|running time: runtime
sign in|signs in|sign-in|signing in|log in|logs in|logging in|logged in: login
sign out|log out|logged out: logout
not there: missing
not found: found missing
not allowed: allow forbid invalid
not supported: support unsupported
not known: unknown
does not know: unknown
do not know: unknown
does not exist|do not exist: missing
does not match|do not match: match mismatch
does not fit|do not fit: fit overflow
does not list|not listed: additional
do not support|does not support: support unsupported
does not allow|do not allow: allow disallow
such as:
as well as:
as soon as:
so that:
in order to:
as it is|as they are: unchanged
piece by piece|bit by bit: chunk incremental
half precision: float16 half precision
double precision: float64 double precision
white space: whitespace
file name|file names: filename
time zone|time zones: timezone
command line: command line cli argv
operating system: platform os
line ending|line endings: newline eol
line break|line breaks: newline
byte order: endian
key press: key
standard input: stdin
standard output: stdout
regular expression|regular expressions: regex
environment variable|environment variables: env environ variable
server-sent: sse server sent
data type: type
source text: source code
web browser: browser
calls itself|call itself|calling itself: recursive
refers to itself|refer to itself|contains itself|contain itself|self-referencing: circular recursive
for ever|without end|running forever: infinite recursive
ctrl-c|control-c: sigint interrupt
ctrl-d: eof
by accident: accidental
up to date: outdated
in memory: memory
on disk: disk
on the fly: dynamic
before the first|at the start of|at the beginning of: start
at the end of: end
side by side: parallel
as a whole: whole
up and running: running
the other way round|the other way around: reverse
for good: permanent
all at once: batch
`;

const meant = new Map<string, string>();
for (const line of table.trim().split('\n')) {
  const [said = '', words = ''] = line.split(':');
  for (const phrase of said.split('|')) meant.set(phrase, words.trim());
}
const longestFirst = [...meant.keys()].sort((left, right) => right.length - left.length);
const anyPhrase = new RegExp(
  `\\b(?:${longestFirst.map((phrase) => phrase.replaceAll(' ', '\\s+')).join('|')})\\b`,
  'gi',
);

/** A question with such turns replaced; what it quotes is changed as well. */
export function replacePhrases(question: string): string {
  return question.replace(anyPhrase, (found) => {
    const words = meant.get(found.toLowerCase().replace(/\s+/g, ' '));
    return words ?? found;
  });
}
