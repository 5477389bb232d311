import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError } from '../build/build-error.ts';
import type { BuildLanguage } from './build-language.ts';
import { type Environment, findProgram, runToolchain } from './run-toolchain.ts';
import { writeWit } from './write-wit.ts';

/**
 * A component by componentize-py. `plugin.py` has one function for each tool of `plugin.toml`, its
 * hyphens as underscores; a folder with an `app.py` serves `cuervo:plugin/tools` itself.
 */
export const buildPython: BuildLanguage = async (options) => {
  const { folder, env, toml, scratch, watch, tell } = options;
  const program = findComponentizer(env);
  const wit = join(scratch, 'wit');
  writeWit({ ...options, out: wit });
  const isOwn = existsSync(join(folder, 'app.py'));
  if (!isOwn && !existsSync(join(folder, 'plugin.py'))) {
    throw new BuildError(`there is no plugin.py in ${folder}`);
  }
  const { tools } = toml.manifest;
  if (!isOwn) {
    if (tools === undefined) throw new BuildError('plugin.toml names no [[tools]]');
    writeFileSync(join(scratch, 'cuervo_app.py'), glue(tools.map(({ name }) => name)));
  }
  const made = join(scratch, 'plugin.wasm');
  const { flags = [] } = toml.build;
  const paths = ['-p', folder, '-p', scratch];
  await runToolchain(
    [
      program,
      '-q',
      '-d',
      wit,
      '-w',
      'plugin',
      ...flags,
      'componentize',
      '--stub-wasi',
      ...paths,
      '-o',
      made,
      isOwn ? 'app' : 'cuervo_app',
    ],
    { folder, env, watch, tell },
  );
  return readFileSync(made);
};

export function findComponentizer(env: Environment): string {
  const found = findProgram(env.COMPONENTIZE_PY ?? 'componentize-py', env);
  if (found !== undefined) return found;
  throw new BuildError(
    'componentize-py is not installed: pipx install componentize-py, or pip install componentize-py (or name it in COMPONENTIZE_PY)',
  );
}

/** What stands between the contract and the author's functions. */
function glue(tools: readonly string[]): string {
  const table = tools.map((name) => `    "${name}": "${name.replaceAll('-', '_')}",\n`).join('');
  return `import json
import re
from componentize_py_types import Err
from wit_world import exports
from wit_world.exports.tools import (
    ToolOutput, ToolError_InvalidInput, ToolError_Denied, ToolError_NotFound, ToolError_Conflict,
    ToolError_Limit, ToolError_Timeout, ToolError_Unavailable, ToolError_Failed,
)
import plugin

TOOLS = {
${table}}
CASES = {
    "invalid-input": ToolError_InvalidInput, "denied": ToolError_Denied,
    "not-found": ToolError_NotFound, "conflict": ToolError_Conflict, "limit": ToolError_Limit,
    "timeout": ToolError_Timeout, "unavailable": ToolError_Unavailable, "failed": ToolError_Failed,
}
HOST = {"Denied": "denied", "NotFound": "not-found", "Invalid": "invalid-input", "Limit": "limit",
        "Timeout": "timeout", "Conflict": "conflict", "Io": "failed"}


# Half of a surrogate pair is no text outside of Python: it becomes U+FFFD, as in other plugins.
HALVES = re.compile("[\\ud800-\\udfff]")


def _whole(value):
    if isinstance(value, str):
        return HALVES.sub("\\ufffd", value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(each) for key, each in value.items()}
    return value


def _case(thrown):
    if isinstance(thrown, Err):
        value = thrown.value
        kind = type(value).__name__
        if kind.startswith("ToolError_"):
            return value
        return CASES[HOST.get(kind.split("_")[-1], "failed")](_whole(str(getattr(value, "value", value))))
    code = getattr(thrown, "code", None)
    words = str(thrown) or type(thrown).__name__
    if code not in CASES and not isinstance(thrown, (ValueError, KeyError)):
        words = f"{type(thrown).__name__}: {words}"
    return CASES.get(code, ToolError_Failed)(_whole(words))


class Tools(exports.Tools):
    def describe(self):
        return []

    def call(self, name, input):
        if name not in TOOLS:
            raise Err(ToolError_NotFound(f'there is no tool "{name}"'))
        run = getattr(plugin, TOOLS[name], None)
        if run is None:
            raise Err(ToolError_Failed(f"plugin.py has no function {TOOLS[name]}"))
        try:
            result = run(_whole(json.loads(input)))
            content, summary = result if isinstance(result, tuple) else (result, None)
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            told = summary if summary is not None else text[:120]
            return ToolOutput(_whole(text), _whole(told))
        except Exception as thrown:
            raise Err(_case(thrown))
`;
}
