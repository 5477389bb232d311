/** One entry of a manifest: where it stands and what it says. */
export type Entry = {
  /** the sections around it and its key, e.g. `['scripts', 'test']` */
  keys: readonly string[];
  value: string;
  /** 1-based */
  line: number;
};

/**
 * The entries of a manifest by the shape of its lines. Nothing is parsed as a whole, so a manifest
 * that is broken in one place still gives its other lines.
 *
 * @param path decides the format
 */
export function readEntries(path: string, text: string): Entry[] {
  const name = path.replace(/^.*[/:]/, '');
  const lines = text.split(/\r?\n/);
  if (/\.json$/.test(name)) return jsonEntries(lines);
  if (name === 'libs.versions.toml')
    return sectionEntries(lines).map((entry) => ({ ...entry, keys: ['requires', ...entry.keys] }));
  if (/\.(?:toml|cfg|ini)$/.test(name)) return sectionEntries(lines);
  const shapes = lineShapes[name];
  if (shapes !== undefined) return shapedEntries(lines, shapes);
  if (name === 'go.mod' || name === 'go.work') return goEntries(lines);
  if (/^requirements.*\.txt$/.test(name)) return requirementEntries(lines);
  if (/^(?:Pipfile)$/.test(name)) return sectionEntries(lines);
  if (name === 'Gemfile') return gemEntries(lines);
  if (/\.gemspec$/.test(name)) return gemspecEntries(lines);
  if (name === 'Rakefile' || name === 'noxfile.py') return taskEntries(lines);
  if (/^Taskfile\.ya?ml$/.test(name)) return taskfileEntries(lines);
  if (/\.xml$/.test(name)) return xmlEntries(lines);
  if (/makefile$|\.mk$|^justfile$/i.test(name)) return targetEntries(lines);
  if (/^dockerfile/i.test(name)) return dockerEntries(lines);
  if (/^\.(?:golangci|pre-commit-config)\.ya?ml$/.test(name))
    return yamlEntries(lines).map((entry) => ({ ...entry, keys: ['linters', ...entry.keys] }));
  if (/[/:]meta\/main\.ya?ml$/.test(path)) return roleEntries(lines);
  if (/\.ya?ml$/.test(name)) return yamlEntries(lines);
  if (/[/:](?:scripts?|bin|tools)\/\w+(?:\.sh)?$/.test(path)) return scriptEntry(name, lines);
  if (name === 'VERSION') return plainEntry('version', lines);
  if (name.startsWith('.')) return plainEntry(name.slice(1).replace(/-version$|rc$/, ''), lines);
  return callEntries(lines);
}

type LineShape = readonly [key: string, RegExp];

/** Manifests that are programs: their lines that say something, by the key that others have for it. */
const lineShapes: Readonly<Record<string, readonly LineShape[]>> = {
  'mix.exs': [
    ['version', /^\s*(?:@version\s+|version:\s*)"([^"]+)"/],
    ['name', /^\s*app:\s*:(\w+)/],
    ['license', /\blicenses:\s*\["([^"]+)"/],
    ['engines.elixir', /^\s*elixir:\s*"([^"]+)"/],
    ['requires', /^\s*\{:(\w+,\s*"[^"]+")/],
  ],
  'Package.swift': [
    ['name', /\bPackage\(\s*name:\s*"([^"]+)"/],
    ['engines.swift', /^\/\/\s*swift-tools-version:\s*([\d.]+)/],
    [
      'requires',
      /\.package\([^)]*?\/([\w.-]+?)(?:\.git)?",\s*(?:from:|exact:|\.\w+\()[^"]*"[^"]+"/,
    ],
  ],
  'CMakeLists.txt': [
    ['version', /^\s*project\s*\([^)]*\bVERSION\s+(\d[\d.]*)/i],
    ['engines.cmake', /^\s*cmake_minimum_required\s*\(\s*VERSION\s+([\d.]+)/i],
    ['requires', /^\s*find_package\s*\(\s*(\w+)/i],
  ],
  'build.sbt': [
    ['version', /^\s*(?:ThisBuild\s*\/\s*)?version\s*:=\s*"([^"]+)"/],
    ['engines.scala', /^\s*(?:ThisBuild\s*\/\s*)?scalaVersion\s*:=\s*"([^"]+)"/],
    ['requires', /%%?\s*"([\w.-]+"\s*%\s*"?[\w.-]+)/],
  ],
  'gradle.properties': [['version', /^(?:VERSION_NAME|version)\s*=\s*(\S+)/]],
};

function shapedEntries(lines: readonly string[], shapes: readonly LineShape[]): Entry[] {
  return lines.flatMap((text, index): Entry[] => {
    for (const [key, shape] of shapes) {
      const value = shape.exec(text)?.[1];
      if (value !== undefined) return [{ keys: key.split('.'), value, line: index + 1 }];
    }
    return [];
  });
}

/** One member a line, as every tool writes these files; the depth comes from the brackets. */
function jsonEntries(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  const keys: string[] = [];
  for (const { text, index } of lines.flatMap(membersOf)) {
    const member = /^\s*"((?:[^"\\]|\\.)*)"\s*:\s*(.*?),?\s*$/.exec(text);
    const [, key, value = ''] = member ?? [];
    if (key !== undefined) {
      entries.push({ keys: [...keys, key], value: unquoted(value), line: index + 1 });
    } else {
      const item = /^\s*"((?:[^"\\]|\\.)*)",?\s*$/.exec(text)?.[1];
      if (item !== undefined) entries.push({ keys: [...keys], value: item, line: index + 1 });
    }
    const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    const opened = (bare.match(/[{[]/g) ?? []).length;
    const closed = (bare.match(/[}\]]/g) ?? []).length;
    if (opened > closed) keys.push(key ?? '');
    else if (closed > opened) keys.pop();
    // The outermost object has no name.
    if (keys.length === 1 && keys[0] === '' && key === undefined) keys.pop();
  }
  return entries;
}

/** A line, or each of the members that some tools write on one. */
function membersOf(text: string, index: number): { text: string; index: number }[] {
  const parts =
    text.match(/(?:"(?:[^"\\]|\\.)*"|[^"{}[\],])+(?:[,{[]|(?=[}\]])|$)|[{}[\],]/g) ?? [];
  const isOne = parts.filter((part) => part.includes(':')).length < 2;
  return isOne ? [{ text, index }] : parts.map((part) => ({ text: part, index }));
}

/** `[section]`, `key = value`, and the lines that go on a value. */
function sectionEntries(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  let section: string[] = [];
  let open: string | undefined;
  for (const [index, text] of lines.entries()) {
    const head = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(text)?.[1];
    const pair = /^([\w.@"'/-][^=:]*?)\s*[=:]\s*(.*)$/.exec(text);
    if (head !== undefined) {
      section = head.replace(/["']/g, '').split(/[.:]/);
      open = undefined;
    } else if (pair !== null && !text.startsWith(' ')) {
      const [, key = '', value = ''] = pair;
      open = key.replace(/["']/g, '');
      entries.push({ keys: [...section, open], value: unquoted(value), line: index + 1 });
      if (/\]\s*$/.test(value)) open = undefined;
    } else if (open !== undefined && /^\s+[^\s#]/.test(text)) {
      const value = unquoted(text.trim().replace(/,$/, ''));
      if (value !== ']') entries.push({ keys: [...section, open], value, line: index + 1 });
    }
  }
  return entries;
}

function goEntries(lines: readonly string[]): Entry[] {
  let block: string | undefined;
  return lines.flatMap((text, index): Entry[] => {
    const line = index + 1;
    const opened = /^(\w+)\s*\(/.exec(text)?.[1];
    if (opened !== undefined) block = opened;
    else if (/^\)/.test(text)) block = undefined;
    else if (block !== undefined) {
      const [, key, value = ''] = /^\s+(\S+)(?:\s+(.*))?$/.exec(text) ?? [];
      return key === undefined ? [] : [{ keys: [block, key], value, line }];
    } else {
      const [, word, key = '', value] = /^(\w+)\s+(\S+)(?:\s+(\S+))?/.exec(text) ?? [];
      if (word === undefined) return [];
      return [
        value === undefined
          ? { keys: [word], value: key, line }
          : { keys: [word, key], value, line },
      ];
    }
    return [];
  });
}

function xmlEntries(lines: readonly string[]): Entry[] {
  const around: string[] = [];
  return lines.flatMap((text, index): Entry[] => {
    const whole = /<([\w.-]+)>([^<]*)<\/\1>/.exec(text);
    if (whole !== null) {
      const [, key = '', value = ''] = whole;
      return [{ keys: [...around.slice(1), key], value, line: index + 1 }];
    }
    const opened = /<([\w.-]+)(?:\s[^>]*)?>\s*$/.exec(text)?.[1];
    if (opened !== undefined) around.push(opened);
    else if (/^\s*<\/[\w.-]+>/.test(text)) around.pop();
    return [];
  });
}

/** `test: build` with the first line of its recipe. */
function targetEntries(lines: readonly string[]): Entry[] {
  return lines.flatMap((text, index): Entry[] => {
    const target = /^@?([\w.-]+)(?:\s+[*+]?[\w=.'"-]+)*\s*::?(?!=)/.exec(text)?.[1];
    if (target === undefined || target.startsWith('.')) return [];
    const recipe = /^\s+@?(\S.*)$/.exec(lines[index + 1] ?? '')?.[1] ?? '';
    return [{ keys: ['targets', target], value: recipe, line: index + 1 }];
  });
}

function dockerEntries(lines: readonly string[]): Entry[] {
  return lines.flatMap((text, index): Entry[] => {
    const [, key, value = ''] = /^(FROM|CMD|ENTRYPOINT|RUN|EXPOSE)\s+(.*)$/i.exec(text) ?? [];
    return key === undefined ? [] : [{ keys: [key.toUpperCase()], value, line: index + 1 }];
  });
}

/** What a workflow runs, and the versions that it names. */
function yamlEntries(lines: readonly string[]): Entry[] {
  let list: string | undefined;
  let block: string | undefined;
  return lines.flatMap((text, index): Entry[] => {
    // The name of a workflow, not of a step.
    const called = /^name:\s*(\S.*)$/.exec(text)?.[1];
    if (called !== undefined)
      return [{ keys: ['workflow'], value: unquoted(called), line: index + 1 }];
    const opened = /^\s*(?:-\s+)?([\w-]+):\s*([|>][+-]?)?\s*$/.exec(text);
    if (opened !== null) {
      [list, block] = opened[2] === undefined ? [opened[1], undefined] : [undefined, opened[1]];
      return [];
    }
    const isPair = /^\s*(?:-\s+)?[\w-]+:(?:\s|$)/.test(text);
    if (block !== undefined && !isPair && text.trim() !== '')
      return [{ keys: [block], value: text.trim(), line: index + 1 }];
    const item = isPair ? undefined : /^\s*-\s+(.+)$/.exec(text)?.[1];
    if (list !== undefined && item !== undefined)
      return [{ keys: [list, '-'], value: unquoted(item), line: index + 1 }];
    if (isPair) block = undefined;
    const [, key, value = ''] = /^\s*(?:-\s+)?([\w-]+):\s*(.*)$/.exec(text) ?? [];
    return key === undefined || value === '' || value === '|'
      ? []
      : [{ keys: [key], value: unquoted(value), line: index + 1 }];
  });
}

/** What a role of Ansible says of itself, and each platform that it is for. */
function roleEntries(lines: readonly string[]): Entry[] {
  let platforms: number | undefined;
  return lines.flatMap((text, index): Entry[] => {
    const [, indent = '', key = '', value = ''] =
      /^(\s*)(?:-\s+)?([\w-]+):\s*(.*)$/.exec(text) ?? [];
    if (platforms !== undefined && /^\s*[a-z]/.test(text) && indent.length <= platforms)
      platforms = undefined;
    if (key === 'platforms') platforms = indent.length;
    if (platforms !== undefined && key === 'name')
      return [{ keys: ['platforms', key], value: unquoted(value), line: index + 1 }];
    return key === '' || value === ''
      ? []
      : [{ keys: [key], value: unquoted(value), line: index + 1 }];
  });
}

/** `werkzeug>=3.1  # why`: one a line. */
function requirementEntries(lines: readonly string[]): Entry[] {
  return lines.flatMap((text, index): Entry[] =>
    /^[A-Za-z]/.test(text)
      ? [{ keys: ['requires'], value: text.replace(/\s+#.*$/, '').trim(), line: index + 1 }]
      : [],
  );
}

function gemEntries(lines: readonly string[]): Entry[] {
  return lines.flatMap((text, index): Entry[] => {
    const [, key = '', value] = /^\s*(gem|ruby)\s+["']([^"']+)/.exec(text) ?? [];
    if (value === undefined) return [];
    return [{ keys: key === 'ruby' ? ['ruby'] : ['requires'], value, line: index + 1 }];
  });
}

/** `s.version = '1.0'`, `s.add_dependency 'rack', '~> 3.0'`. */
function gemspecEntries(lines: readonly string[]): Entry[] {
  return lines.flatMap((text, index): Entry[] => {
    const line = index + 1;
    const [, kind = '', needed] =
      /^\s*\w+\.add_((?:development_|runtime_)?dependency)\s*\(?\s*["']([^"']+)/.exec(text) ?? [];
    if (needed !== undefined)
      return [
        { keys: [kind.includes('dev') ? 'dev-dependencies' : 'requires'], value: needed, line },
      ];
    const [, key, value = ''] = /^\s*\w+\.(\w+)\s*=\s*(.+?)\s*$/.exec(text) ?? [];
    if (key === undefined) return [];
    const name = key === 'licenses' ? 'license' : key === 'summary' ? 'description' : key;
    return [{ keys: [name], value: unquoted(value), line }];
  });
}

/** `task :docs`, `Rake::TestTask.new(:test)`, and sessions of nox. */
function taskEntries(lines: readonly string[]): Entry[] {
  return lines.flatMap((text, index): Entry[] => {
    const [, one, made, other] =
      /^\s*(?:multi)?task\s*\(?\s*["':]?([\w:-]+)|^\s*(\w+(?:::\w+)*Task)\.(?:new|create)\s*\(?\s*["':]*([\w:-]+)?/.exec(
        text,
      ) ?? [];
    const usual = made === undefined ? undefined : /RSpec/.test(made) ? 'spec' : 'test';
    const rake = one ?? other ?? usual;
    if (rake !== undefined)
      return [{ keys: ['tasks', rake.replace(/:$/, '')], value: `rake ${rake}`, line: index + 1 }];
    const session = /^def\s+(\w+)\s*\(\s*session\b/.exec(text)?.[1];
    if (session === undefined) return [];
    return [{ keys: ['tasks', session], value: `nox -s ${session}`, line: index + 1 }];
  });
}

/** `tasks:`, the names below it, and the first line that says what one does. */
function taskfileEntries(lines: readonly string[]): Entry[] {
  let isTasks = false;
  return lines.flatMap((text, index): Entry[] => {
    const line = index + 1;
    if (/^\S/.test(text) && !text.startsWith('#')) isTasks = /^tasks:/.test(text);
    const name = /^ {2}([\w:.*-]+|"[^"]+"):/.exec(text)?.[1];
    if (!isTasks || name === undefined) return [];
    const own = lines.slice(line, line + 12);
    const end = own.findIndex((each) => /^ {0,2}\S/.test(each));
    const said = own
      .slice(0, end < 0 ? own.length : end)
      .find((each) => /^\s+(?:-\s+(?:cmd:\s*)?|cmd:\s*|desc:\s*)\S/.test(each));
    const value = said?.replace(/^\s+(?:-\s+(?:cmd:\s*)?|cmd:\s*|desc:\s*)/, '').trim() ?? '';
    return [{ keys: ['tasks', unquoted(name)], value, line }];
  });
}

/** A file that holds one word, such as `.nvmrc`. */
function plainEntry(key: string, lines: readonly string[]): Entry[] {
  const at = lines.findIndex((text) => text.trim() !== '');
  return at < 0 ? [] : [{ keys: [key], value: (lines[at] as string).trim(), line: at + 1 }];
}

/** A task that is a file, by its first command that is not in a condition. */
function scriptEntry(name: string, lines: readonly string[]): Entry[] {
  const at = lines.findIndex((text) =>
    /^(?!set\b|cd\b|export\b|source\b|if\b|fi\b|for\b|done\b|echo\b|\w+=|\w+\s*\(\))[\w./"$]/.test(
      text,
    ),
  );
  const value = lines[at]?.trim() ?? '';
  return [{ keys: ['scripts', name.replace(/\.sh$/, '')], value, line: Math.max(at, 0) + 1 }];
}

/** `setup.py` and `build.gradle`: `key=value`, `key value` and `implementation 'a:b:1'`. */
function callEntries(lines: readonly string[]): Entry[] {
  let list: string | undefined;
  return lines.flatMap((text, index): Entry[] => {
    // `requirements = [`, and a package on each line below.
    const opened = /^\s*(\w*require\w*|classifiers)\s*=\s*[[(]\s*$/i.exec(text)?.[1];
    if (opened !== undefined) list = kindOfList(opened);
    else if (/^\s*[\])]/.test(text)) list = undefined;
    const item = list === undefined ? undefined : /^\s*(["'])(.+?)\1/.exec(text)?.[2];
    if (list !== undefined && item !== undefined)
      return [{ keys: [list], value: item, line: index + 1 }];
    const [, key, value = ''] =
      /^\s*([A-Za-z_]\w*)\s*(?:=|\(|\s)\s*["'[(]?\s*["']?([^"'\])]+)/.exec(text) ?? [];
    // Deep inside, it is the version of something else.
    if (key === undefined || (key === 'version' && /^\s{5,}/.test(text))) return [];
    return [{ keys: [key], value: value.trim(), line: index + 1 }];
  });
}

function kindOfList(name: string): string {
  if (name === 'classifiers') return name;
  return name.startsWith('test') ? 'dev-dependencies' : 'install_requires';
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
