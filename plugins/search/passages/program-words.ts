import { stemWord } from './stem-word.ts';

/**
 * Words of everyday speech, and the words that programs have for the same: the likeliest
 * first. One way only: who asks for `detect` does not mean `told`.
 */
const table = `
accident: unexpected unintended
accompany: attach associate
agree: match equal consistent same
ahead: lookahead prefetch peek
allowed: permit valid accept whitelist
alone: single isolated exclusive
already: exists duplicate once
alternative: fallback option either oneof
amount: size count limit length
answer: response reply result return
appear: show visible exist
arrive: receive incoming recv
article: post page
asleep: sleep park idle wait
ask: prompt request query
assemble: build concat join
author: user owner creator
available: exist support free
away: remove strip drop
back: restore revert return reverse
background: async thread worker daemon
bad: invalid malformed illegal wrong
barred: forbid deny block
become: convert coerce cast
before: prior previous pre
begin: start init open first
belong: match member owner associate
beside: sibling adjacent
better: best prefer
beyond: exceed overflow outside max
big: large size max huge
bigint: int64 long
blame: error cause
body: payload content data
both: duplicate conflict either
bother: skip ignore
bottom: last end
bound: limit range max min
bring: load fetch import
browser: dom web window navigator client
built: create construct make compile
busy: lock block wait
calendar: date day month
carry: propagate pass forward hold
caught: catch except rescue recover
chance: random probability
cheap: fast light
chosen: select pick choose prefer
chunk: batch block part segment
clash: conflict collide duplicate
client: consumer caller
clock: time timer now
closed: end finish close shut
colleague: peer sibling
command: cmd exec shell
common: shared same
complain: warn error report
complete: finish done end whole
compressed: compression codec gzip zip deflate
computer: host machine platform
confirm: prompt ask approve permission
confuse: ambiguous
consult: lookup check search
consumer: reader subscriber pull
contain: include has member within
contents: children entries body data
cope: handle recover
counted: length size number
covered: include
cut: truncate slice split trim shorten
cyclic: circular cycle recursion visited seen
damage: corrupt broken invalid
dangerous: unsafe security
day: date
deal: handle process
deadline: timeout expire
dead: close exit kill terminate
death: exit kill terminate crash
deep: depth nested recursive level
denied: forbid deny refuse permission
depend: require
describe: description doc
device: drive mount
differ: compare mismatch unequal
difference: diff delta compare
different: mismatch compare unequal conflict
disagree: mismatch conflict differ
disappear: remove delete missing
discard: drop ignore skip
disk: file cache storage
double: twice duplicate
draw: render print paint
dropped: remove delete strip discard
during: while
early: premature break abort return
earlier: previous before older
edge: boundary limit
emitted: emit write output
empty: blank zero none
encrypted: ssl tls cipher crypt
end: close finish terminate last stop eof
endless: infinite cycle recursion loop
endianness: endian littleendian byteorder
enlarge: grow expand resize
enough: min threshold limit full
enter: input
everyone: all public world
exact: precise strict equal
exceed: limit max over overflow
excess: extra too
exchange: swap replace
exclude: ignore skip omit filter
expanded: merge resolve replace
expired: expire stale timeout ttl
explain: message report describe
extended: append add push expand
extra: additional excess unknown
fail: error throw invalid reject
fall: fallback default
false: bool
far: depth max distance
fast: quick optimize cache speed
feed: write push input
fetched: fetch load get request download
few: min less short
fewer: less min
field: property key column attribute
filled: fill set default assign
finish: end close done complete
first: head begin initial
fit: size overflow range exceed
fixed: constant static
flat: flatten
folder: directory dir path
followed: follow resolve
follower: next
forever: infinite loop cycle
forget: reset clear evict omit
forgotten: reset clear evict missing
form: format shape
found: search find lookup locate match
fraction: decimal float
free: release dispose idle available
freed: release free dealloc
fresh: new expire stale
friendly: human readable pretty
full: capacity max limit size
further: next more
gap: missing hole padding
garbage: gc
gather: collect accumulate
genuine: valid authentic
guarantee: ensure assert
guard: check protect assert
guess: detect infer sniff
half: float16 half
halt: stop abort break
handed: pass give send
happen: event
hard: strict
harmless: safe
held: hold keep lock
helper: util
hexadecimal: hex 0x
hidden: dotfile private hide secret
hold: contain keep lock
hole: gap null
home: home userprofile
host: server domain
human: readable pretty format
identical: equal same duplicate
identify: id detect match
idle: wait sleep inactive
ignored: ignore skip omit exclude
illegal: invalid forbid
impossible: never unsupported invalid
inactive: idle
incoming: input receive request
incomplete: partial truncated
increased: increment inc grow add
indent: pad space
inherit: parent extend super
inside: within nested contain
install: setup add
instead: fallback replace default
interrupted: abort signal sigint cancel
jump: seek offset skip goto
keep: retain preserve store hold
killed: kill terminate signal sigterm
known: registered seen
label: tag name
lack: missing without absent
language: locale lang
last: end tail final latest
late: timeout defer delay
latest: newest max version
lazy: defer memo once
leak: dispose release cleanup
least: min minimum
leave: exit return break
left: remain rest skip
legal: valid allow
length: size count
limit: max cap threshold bound
listen: subscribe on event
listed: list enumerate include contain
listing: list readdir ls entries
live: alive
locked: lock mutex
logged: log record
login: auth credential session
logging: log auth
longest: max length
look: search find lookup
loop: iterate each for while iterator
lost: drop disconnect missing
lowest: min minimum
machine: host platform system
mandatory: require
many: max count limit
marked: flag mark set
masked: mask redact hide
matching: match equal compare
meaning: semantic
measure: duration time elapsed size
member: element child item field
memory: cache heap buffer
merge: combine join assign
middle: center mid
milliseconds: ms time
mirror: copy clone
misspelled: similar suggest distance typo closest
misuse: invalid error
mixed: union various
moment: time date instant timestamp
moved: move rename
multiple: several many list
name: key id label
narrow: filter
narrower: less
nearest: closest min distance
neighbour: adjacent next previous sibling
never: forbid assert unreachable
newer: version newest mtime latest
newest: latest last max
nobody: none no
noise: random
notice: detect check
now: current date time
obsolete: deprecated legacy
obtain: get fetch acquire
old: legacy deprecated previous stale
older: previous legacy version
once: unique single dedupe memo
ordinary: plain default normal
original: source raw
outcome: result status
outdated: stale old expire
outside: external bound escape beyond
overlap: intersect conflict
overwritten: overwrite replace exist
own: self custom
padded: pad align fill
page: pagination cursor
parent: super owner ancestor
part: piece segment chunk slice section
pass: valid success accept forward
passing: valid success
pause: wait sleep delay suspend
paused: suspend stop wait
people: user human
permit: allow grant
person: user human
piece: chunk part segment
place: position location path index
placed: insert put position
pleasant: pretty
polling: poll interval
possible: can support
postpone: defer delay
prefer: priority default
prepared: prepare init setup
prevent: guard block avoid forbid
previous: prev last
printed: print format write log stringify
private: secret hidden
promised: promise future
proof: verify signature
protect: guard secure safe
prove: verify auth challenge sign
put: set insert store
quick: fast
quiet: silent suppress
quoted: quote escape
range: bound between interval min max
rare: seldom
raw: plain source
reached: exceed limit max
ready: init open wait
real: actual original
reason: cause message error
recent: latest last
recognised: detect match test is check identify
recorded: store save log write
recover: restore retry fallback
reduce: shrink min
refused: reject deny throw error forbid invalid
refuse: reject deny throw error forbid invalid
remaining: rest left remainder
remember: cache store memo save
remembered: cache memo save
renamed: rename alias
renew: refresh token
repair: fix recover
repeated: repeat duplicate again loop
replaced: replace substitute swap
reported: report error log warn emit
represent: encode format string
required: require mandatory must need
resend: retry
restart: retry reset
restrict: limit
rewound: rewind seek tell
room: space capacity
rough: approximate estimate
rounded: round floor truncate
row: record line
rubbish: garbage
rule: pattern policy
safe: escape sanitize secure
same: equal duplicate identical
sane: valid
saved: save store write cache
save: store write cache
school: class
screen: terminal console display
secret: password token key credential redact
seen: visited known
separate: split delimiter
settle: resolve
share: common reuse
shared: common reuse
shell: bash exec command
shorter: truncate short less
shortened: truncate ellipsis short
shown: show print display render
shrink: reduce truncate resize
shut: close
signed: sign
sign: sign
silent: quiet suppress ignore
similar: distance closest
simultaneous: concurrent parallel lock
single: one
skipped: skip ignore
slash: path separator
slow: slow duration throttle
small: min little
smaller: less min
smallest: min
sorted: sort order compare
source: src origin code
space: whitespace pad
special: escape reserved
spelling: similar distance
spent: elapsed duration
spread: distribute
stale: expire old outdated
standstill: deadlock
stolen: steal
stop: abort cancel end close
stored: store save cache persist
strange: invalid unexpected
stray: bare unexpected
strip: trim remove
succeed: success ok
successful: success ok
suddenly: unexpected
suggested: suggest similar
suitable: match compatible
supported: support available unsupported
suppressed: suppress ignore silent
surrounding: context around
swallow: ignore catch
symlink: symlink link readlink lstat
taken: exist reserved used
taller: height
teardown: cleanup dispose
terminal: tty console stdout columns
text: string str content
thrown: throw raise error
throttled: throttle rate limit
together: join group batch combine
told: message notify report hint
tolerate: ignore allow
top: first head root
transfer: send copy
translate: convert map
transmit: send write
trust: verify secure
tried: try attempt retry
try: attempt retry
turn: convert
twice: duplicate repeat already once
ugly: malformed
unchanged: same equal identical
undefined: missing absent
understand: parse
unexpected: invalid unknown error
unfinished: incomplete partial pending
unknown: unrecognized unexpected invalid
unnecessary: redundant useless
unpacked: extract unzip
unpacking: extract unzip
unpredictable: random
unreadable: permission access
unsafe: dangerous
unset: undefined missing
untrusted: escape sanitize unsafe
unused: unreferenced unused
upper: max
useless: redundant
user: owner account
usual: default
valid: check verify
vanish: remove missing
wait: delay sleep timeout await pending
waiting: pending await block queue
waits: delay sleep timeout
waste: unused
weird: invalid
wide: width columns
width: columns wide
wider: width
widest: max width
woken: wake notify signal
woke: wake notify
wrap: fold
wrapped: wrap fold
written: write emit dump save
wrong: invalid mismatch error bad
yanked: yank
year: date
young: new
zone: timezone tz
`;

const known = new Map<string, string[]>();
for (const line of table.trim().split('\n')) {
  const [word = '', others = ''] = line.split(':');
  const forms = others
    .trim()
    .split(' ')
    .flatMap((other) => stemWord(other).slice(0, 2));
  for (const stem of stemWord(word)) known.set(stem, [...(known.get(stem) ?? []), ...forms]);
}

/**
 * Beginnings of the words that programs have for an everyday word, the likeliest first.
 *
 * @param stems of one word, as `stemWord` gives them
 */
export function programWords(stems: readonly string[]): string[] {
  return [...new Set(stems.flatMap((stem) => known.get(stem) ?? []))];
}
