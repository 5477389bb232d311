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
appended: push add concat
arrive: receive incoming recv
article: post page
ask: prompt request query
asleep: sleep park idle wait
assemble: build concat join
assigned: set
attached: attach bind
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
blanks: space whitespace
body: payload content data
both: duplicate conflict either
bother: skip ignore
bottom: last end
bound: limit range max min
bracket: paren brace
bring: load fetch import
browser: dom web window navigator client
built: create construct make compile
busy: lock block wait
calendar: date day month
callable: function call compile
cancelled: abort cancel
capital: upper case
carry: propagate pass forward hold
caught: catch except rescue recover
certificate: cert tls x509 pem
chance: random probability
cheap: fast light
checked: validate verify assert
checksum: hash digest crc sha
children: child nested sub
chosen: select pick choose prefer
chunk: batch block part segment
clash: conflict collide duplicate
client: consumer caller
clock: time timer now
closed: end finish close shut
colleague: peer sibling
colours: color ansi style
comma: separator delimiter
command: cmd exec shell
common: shared same
complain: warn error report
complete: finish done end whole
compressed: compression codec gzip zip deflate
computer: host machine platform
concurrent: parallel async lock race
confirm: prompt ask approve permission
confuse: ambiguous
connection: socket conn
constraint: validate rule check
consult: lookup check search
consumer: reader subscriber pull
contain: include has member within
contents: children entries body data
continue: resume next
conversation: message chat thread
cope: handle recover
copied: copy clone dup
counted: length size number
covered: include
crash: exit panic signal abort
cut: truncate slice split trim shorten
cyclic: circular cycle recursion visited seen
damage: corrupt broken invalid
dangerous: unsafe security
day: date
dead: close exit kill terminate
deadline: timeout expire
deal: handle process
death: exit kill terminate crash
declared: define declaration
deep: depth nested recursive level
denied: forbid deny refuse permission
depend: require
describe: description doc
descriptor: fd handle
destroyed: destroy dispose close
device: drive mount
differ: compare mismatch unequal
difference: diff delta compare
different: mismatch compare unequal conflict
disabled: disable enable flag
disagree: mismatch conflict differ
disappear: remove delete missing
discard: drop ignore skip
disk: file cache storage
distinguish: kind type tag discriminator
double: twice duplicate
download: fetch http request
draw: render print paint
dropped: remove delete strip discard
during: while
earlier: previous before older
early: premature break abort return
edge: boundary limit
editor: edit
email: mail smtp
emitted: emit write output
emoji: unicode
empty: blank zero none
enabled: enable flag option
encoding: charset utf8 codec
encrypted: ssl tls cipher crypt
end: close finish terminate last stop eof
endianness: endian littleendian byteorder
endless: infinite cycle recursion loop
endpoint: url path route
enlarge: grow expand resize
enough: min threshold limit full
enter: input
equality: equal compare
evaluated: eval
everyone: all public world
exact: precise strict equal
exceed: limit max over overflow
excess: extra too
exchange: swap replace
exclude: ignore skip omit filter
executed: exec run spawn
expanded: merge resolve replace
expired: expire stale timeout ttl
explain: message report describe
extended: append add push expand
extension: ext suffix
extra: additional excess unknown
fail: error throw invalid reject
failed: fail error reject
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
frozen: immutable readonly freeze
full: capacity max limit size
further: next more
gap: missing hole padding
garbage: gc
gather: collect accumulate
generated: generate codegen emit
genuine: valid authentic
guarantee: ensure assert
guard: check protect assert
guess: detect infer sniff
half: float16
halt: stop abort break
handed: pass give send
hang: timeout block deadlock
happen: event
hard: strict
harmless: safe
held: hold keep lock
helper: util
hexadecimal: hex 0x
hidden: dotfile private hide secret
hold: contain keep lock
hole: gap null
home: userprofile
host: server domain
human: readable pretty format
identical: equal same duplicate
identify: id detect match
idle: wait sleep inactive
ignored: ignore skip omit exclude
illegal: invalid forbid
immutable: readonly freeze frozen const
implicit: default infer
impossible: never unsupported invalid
inactive: idle
incoming: input receive request
incomplete: partial truncated
increased: increment inc grow add
indent: pad space
indentation: indent space tab
inherit: parent extend super
insecure: unsafe security
inside: within nested contain
install: setup add
instead: fallback replace default
interrupted: abort signal sigint cancel
job: task worker queue
jump: seek offset skip goto
keep: retain preserve store hold
keyboard: key stdin
killed: kill terminate signal sigterm
known: registered seen
label: tag name
lack: missing without absent
language: locale lang
last: end tail final latest
late: timeout defer delay
latest: newest max version
lazy: defer memo once
leading: prefix start
leak: dispose release cleanup
least: min minimum
leave: exit return break
left: remain rest skip
legal: valid allow
length: size count
letter: char character case
library: module package lib
limit: max cap threshold bound
listed: list enumerate include contain
listen: subscribe on event
listing: list readdir ls entries
live: alive
locked: lock mutex
logged: log record
logging: log auth
login: auth credential session
longest: max length
look: search find lookup
loop: iterate each for while iterator
lost: drop disconnect missing
lowest: min minimum
machine: host platform system
mandatory: require
manifest: package config
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
modify: mutate set update
moment: time date instant timestamp
moved: move rename
multiple: several many list
name: key id label
narrow: filter
narrower: less
nearest: closest min distance
negative: minus sign
neighbour: adjacent next previous sibling
nested: depth recursive child inner
never: forbid assert unreachable
newer: version newest mtime latest
newest: latest last max
newline: line eol
nobody: none no
noise: random
notice: detect check
notified: notify emit event listener
now: current date time
obsolete: deprecated legacy
obtain: get fetch acquire
offset: position index
old: legacy deprecated previous stale
older: previous legacy version
once: unique single dedupe memo
optional: undefined default
order: sort compare sequence
ordinary: plain default normal
original: source raw
outcome: result status
outdated: stale old expire
outside: external bound escape beyond
overlap: intersect conflict
overwritten: overwrite replace exist
own: self custom
padded: pad align fill
padding: pad align
page: pagination cursor
parent: super owner ancestor
part: piece segment chunk slice section
partial: incomplete
pass: valid success accept forward
passing: valid success
pattern: regex glob match
pause: wait sleep delay suspend
paused: suspend stop wait
people: user human
percentage: percent ratio
permission: access mode chmod
permit: allow grant
person: user human
piece: chunk part segment
place: position location path index
placed: insert put position
platform: os system
pleasant: pretty
plugin: extension module
polling: poll interval
position: offset index
possible: can support
postpone: defer delay
prefer: priority default
prepared: prepare init setup
prevent: guard block avoid forbid
previous: prev last
printed: print format write log stringify
private: secret hidden
program: process command
progress: percent bar
promised: promise future
proof: verify signature
protect: guard secure safe
prove: verify auth challenge sign
put: set insert store
quick: fast
quiet: silent suppress
quoted: quote escape
race: lock concurrent
random: uuid rand crypto
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
recursive: cycle circular visited depth
redirect: location follow
reduce: shrink min
refuse: reject deny throw error forbid invalid
refused: reject deny throw error forbid invalid
rejected: reject deny error
relative: resolve
reload: refresh watch
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
runtime: node process
safe: escape sanitize secure
same: equal duplicate identical
sane: valid
save: store write cache
saved: save store write cache
schedule: timer queue cron
school: class
screen: terminal console display
seconds: time duration
secret: password token key credential redact
secure: tls https safe
seen: visited known
separate: split delimiter
serialise: encode stringify marshal
server: remote host
settings: option config
settle: resolve
share: common reuse
shared: common reuse
shell: bash exec command
shortened: truncate ellipsis short
shorter: truncate short less
shown: show print display render
shrink: reduce truncate resize
shut: close
signal: abort kill sigterm
signed: sign
silent: quiet suppress ignore
similar: distance closest
simultaneous: concurrent parallel lock
single: one
skipped: skip ignore
slash: path separator
slow: duration throttle
small: min little
smaller: less min
smallest: min
sorted: sort order compare
source: src origin code
space: whitespace pad
spawn: fork process exec
special: escape reserved
spelling: similar distance
spent: elapsed duration
spread: distribute
stack: trace frame
stale: expire old outdated
stamp: time date
standstill: deadlock
startup: init boot
status: code state
stolen: steal
stop: abort cancel end close
stored: store save cache persist
strange: invalid unexpected
stray: bare unexpected
strip: trim remove
style: color css
substring: slice index
succeed: success ok
successful: success ok
suddenly: unexpected
suggested: suggest similar
suitable: match compatible
supported: support available unsupported
suppressed: suppress ignore silent
surrogate: unicode utf codepoint
surrounding: context around
swallow: ignore catch
symlink: link readlink lstat
syntax: parse token grammar
system: os platform
taken: exist reserved used
taller: height
teardown: cleanup dispose
terminal: tty console stdout columns
text: string str content
threshold: limit max
throttled: throttle rate limit
thrown: throw raise error
together: join group batch combine
told: message notify report hint
tolerate: ignore allow
top: first head root
transfer: send copy
translate: convert map
transmit: send write
tried: try attempt retry
trust: verify secure
try: attempt retry
turn: convert
twice: duplicate repeat already once
ugly: malformed
unchanged: same equal identical
undefined: missing absent
understand: parse
unexpected: invalid unknown error
unfinished: incomplete partial pending
unicode: utf codepoint
union: oneof anyof
unknown: unrecognized unexpected invalid
unnecessary: redundant useless
unpacked: extract unzip
unpacking: extract unzip
unpredictable: random
unreadable: permission access
unsafe: dangerous
unset: undefined missing
unsigned: uint
untrusted: escape sanitize unsafe
unused: unreferenced
upload: put post send
upper: max
useless: redundant
user: owner account
usual: default
valid: check verify
vanish: remove missing
violate: invalid error
visible: show public
wait: delay sleep timeout await pending
waiting: pending await block queue
waits: delay sleep timeout
waste: unused
watch: observe monitor
week: date day
weird: invalid
wide: width columns
wider: width
widest: max width
width: columns wide
woke: wake notify
woken: wake notify signal
word: token
wrap: fold
wrapped: wrap fold
written: write emit dump save
wrong: invalid mismatch error bad
yanked: yank
year: date
young: new
zero: empty
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
