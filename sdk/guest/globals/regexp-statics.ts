/**
 * What the last match left behind in `RegExp.$1` and its like, which old packages read. The engine
 * has none of it. Every method that matches calls `exec`, so that one place sees all matches.
 */
const match = RegExp.prototype.exec;
let last: RegExpExecArray | undefined;

RegExp.prototype.exec = function exec(this: RegExp, text: string): RegExpExecArray | null {
  const found = match.call(this, text);
  if (found !== null) last = found;
  return found;
};

const behind = ({ index, input, 0: whole }: RegExpExecArray): string =>
  input.slice(index + whole.length);
const fields: Record<string, (found: RegExpExecArray) => string | undefined> = {
  input: ({ input }) => input,
  lastMatch: ([whole]) => whole,
  lastParen: (found) => (found.length > 1 ? found.at(-1) : ''),
  leftContext: ({ index, input }) => input.slice(0, index),
  rightContext: behind,
};
const short = { $_: 'input', '$&': 'lastMatch', '$+': 'lastParen', '$`': 'leftContext' };
for (const [name, long] of Object.entries({ ...short, "$'": 'rightContext' })) {
  const field = fields[long];
  if (field !== undefined) fields[name] = field;
}
for (let group = 1; group <= 9; group += 1) fields[`$${group}`] = (found) => found[group];

for (const [name, field] of Object.entries(fields)) {
  Object.defineProperty(RegExp, name, {
    configurable: true,
    get: () => (last === undefined ? '' : (field(last) ?? '')),
    // In Node the fields take whatever is set, and stay as they are.
    set: () => {},
  });
}
