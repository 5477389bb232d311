const names = [
  'HOME',
  'PYTHON',
  'COMPONENTIZE_PY',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'GOPATH',
  'GOMODCACHE',
  'GOCACHE',
];

/** What toolchains look at; the command line of a test is handed nothing else. */
export const toolchainEnv: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .map((name) => [name, process.env[name]])
    .filter((pair): pair is [string, string] => pair[1] !== undefined),
);
