// Writes down what a process loaded, one path or name a line; in plain JavaScript, for `--import`.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const builtins = process.moduleLoadList.filter((name) => !before.has(name));
  writeFileSync(process.env.TELL_LOADED, [...loaded, ...builtins].join('\n'));
});
