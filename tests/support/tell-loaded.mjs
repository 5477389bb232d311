// Writes down what a process loaded, one path or name a line; in plain JavaScript, for `--import`.

// An import would read all exports, and so load what stands behind them before the command does.
const fs = process.getBuiltinModule('node:fs');
const loaded = [];
// Parts of the program are read as files; see `src/cli/parts.cjs`.
const { readFileSync } = fs;
fs.readFileSync = (path, ...options) => {
  loaded.push(String(path));
  return readFileSync(path, ...options);
};
const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const builtins = process.moduleLoadList.filter((name) => !before.has(name));
  fs.writeFileSync(process.env.TELL_LOADED, [...loaded, ...builtins].join('\n'));
});
