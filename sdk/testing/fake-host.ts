import type * as Exec from 'cuervo:host/exec@0.1.0';
import type * as Fs from 'cuervo:host/fs@0.1.0';
import type * as Http from 'cuervo:host/http@0.1.0';
import type * as Memory from 'cuervo:host/memory@0.1.0';
import type * as Tools from 'cuervo:host/tools@0.1.0';
import type { CapabilityName, HostInterfaces } from '../gen/capabilities.ts';
import type { HostErrorCode } from '../host-error.ts';
import type { FileContent } from './cases.ts';

export type FakeHostOptions = {
  /** path as `work:notes.txt` or `notes.txt` -> content */
  files?: Readonly<Record<string, FileContent | Uint8Array>>;
  kv?: Readonly<Record<string, string | Uint8Array>>;
  /** milliseconds since the Unix epoch; default 2026-01-01 */
  nowMs?: number;
  /** answers requests; default: `io` */
  http?: (request: Http.Request) => {
    status?: number;
    headers?: Readonly<Record<string, string>>;
    body?: string | Uint8Array;
  };
  /** names of secrets that are kept */
  secrets?: readonly string[];
  /** answers programs; default: `not-found` */
  exec?: (command: Exec.Command) => Partial<Exec.Output>;
  memory?: readonly (Partial<Memory.Hit> & { text: string })[];
  /** answers calls of tools with their content; default: `not-found` */
  tools?: (name: string, input: unknown) => unknown;
  /** capabilities whose every call is denied, as without a grant */
  denied?: readonly CapabilityName[];
};

type Call = (...args: never[]) => unknown;
/** Every call of every capability. */
type Calls = { [Name in CapabilityName]: Record<keyof HostInterfaces[Name], Call> };

/** A host in this process; what the plugin did to it can be looked at. */
export type FakeHost = {
  /** `root:path` -> bytes, as the plugin left them */
  files: Map<string, Uint8Array>;
  kv: Map<string, Uint8Array>;
  /** what was remembered, and what was there before */
  memory: Memory.Hit[];
  logs: { level: string; message: string }[];
  /** every call, in order, as `fs.readText` */
  calls: string[];
  /** interface -> its functions, as the SDK calls them */
  interfaces: Readonly<Record<CapabilityName, Readonly<Record<string, Call>>>>;
};

/** Makes a host of plain data for unit tests. It is simple: globs and ignore files are not applied. */
export function fakeHost(options: FakeHostOptions = {}): FakeHost {
  const files = new Map(
    Object.entries(options.files ?? {}).map(([path, content]) => [rooted(path), bytesOf(content)]),
  );
  const kv = new Map(
    Object.entries(options.kv ?? {}).map(([name, value]) => [name, bytesOf(value)]),
  );
  const memory = (options.memory ?? []).map((hit, index) => ({
    id: `m${index + 1}`,
    layer: 'interact' as const,
    kind: 'note',
    tags: [],
    score: 1,
    ...hit,
  }));
  const logs: FakeHost['logs'] = [];
  const calls: string[] = [];
  const nowMs = options.nowMs ?? 1_767_225_600_000;

  const fileAt = (path: string): Uint8Array =>
    files.get(rooted(path)) ?? fail('not-found', `there is no ${path}`);
  const below = (path: string): [string, Uint8Array][] => {
    const from = rooted(path).replace(/\/$/, '');
    const start = from.endsWith(':') ? from : `${from}/`;
    return [...files].filter(([name]) => name.startsWith(start) || name === from).sort();
  };
  const entry = (path: string, bytes: Uint8Array | undefined): Fs.Entry => ({
    path,
    kind: bytes === undefined ? 'directory' : 'file',
    size: bytes?.byteLength ?? 0,
    modifiedMs: nowMs,
  });

  const fs = {
    roots: () => [...new Set([...files.keys()].map((name) => name.split(':')[0] ?? 'work'))],
    stat: (path: string) => {
      const bytes = files.get(rooted(path));
      if (bytes === undefined && below(path).length === 0) fail('not-found', `there is no ${path}`);
      return entry(rooted(path), bytes);
    },
    readText: (path: string, maxBytes: number) => {
      const bytes = fileAt(path);
      const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes.subarray(0, maxBytes));
      return { text, hash: `fake-${bytes.byteLength}`, truncated: bytes.byteLength > maxBytes };
    },
    readMany: (paths: readonly string[], maxBytes: number) =>
      paths.map((path) => attempted(() => fs.readText(path, maxBytes))),
    statMany: (paths: readonly string[]) => paths.map((path) => attempted(() => fs.stat(path))),
    readBytes: (path: string, offset: number, length: number) =>
      fileAt(path).slice(offset, offset + length),
    listDir: (path: string) => {
      const from = rooted(path).replace(/\/$/, '');
      const start = from.endsWith(':') ? from : `${from}/`;
      const names = below(path).map(([name]) => name.slice(start.length).split('/')[0] ?? '');
      return [...new Set(names)].map((name) => entry(start + name, files.get(start + name)));
    },
    walk: (path: string, { limit }: Fs.WalkOptions) =>
      below(path)
        .slice(0, limit)
        .map(([name, bytes]) => entry(name, bytes)),
    scan: (path: string, scan: Fs.ScanOptions): Fs.ScanResult => {
      const source = scan.literal ? RegExp.escape(scan.pattern) : scan.pattern;
      const pattern = new RegExp(source, scan.caseInsensitive ? 'isu' : 'su');
      const found = below(path).flatMap(([name, bytes]) => {
        const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
        return lines.flatMap((text, index): Fs.ScanMatch[] => {
          const at = text.search(pattern);
          const before = lines.slice(Math.max(0, index - scan.before), index);
          const after = lines.slice(index + 1, index + 1 + scan.after);
          return at < 0
            ? []
            : [{ path: name, line: index + 1, column: at + 1, text, before, after }];
        });
      });
      const all = below(path);
      return {
        matches: found.slice(0, scan.limit),
        filesScanned: all.length,
        bytesScanned: all.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0),
        truncated: found.length > scan.limit,
      };
    },
    tally: (): Fs.TallyResult => ({
      windows: [],
      total: 0,
      holding: new Uint32Array(),
      meanLength: 0,
      truncated: false,
    }),
    unsearched: () => undefined,
  };

  const fsWrite = {
    writeText: (path: string, text: string) => void files.set(rooted(path), bytesOf(text)),
    writeBytes: (path: string, bytes: Uint8Array) => void files.set(rooted(path), bytes),
    createDir: () => undefined,
    rename: (old: string, next: string) => {
      const bytes = fileAt(old);
      files.delete(rooted(old));
      files.set(rooted(next), bytes);
    },
    remove: (path: string) => {
      fileAt(path);
      files.delete(rooted(path));
    },
  };

  const callTool = (name: string, input: string): Tools.ToolOutput => {
    const content =
      options.tools?.(name, JSON.parse(input)) ?? fail('not-found', `there is no tool "${name}"`);
    return {
      content: typeof content === 'string' ? content : JSON.stringify(content),
      summary: '',
    };
  };

  const made = {
    fs,
    'fs-write': fsWrite,
    exec: {
      run: (command: Exec.Command): Exec.Output => {
        const answer =
          options.exec?.(command) ?? fail('not-found', `there is no ${command.program}`);
        return { exitCode: 0, stdout: '', stderr: '', truncated: false, durationMs: 1, ...answer };
      },
    },
    http: {
      send: (request: Http.Request): Http.Response => {
        const answer = options.http?.(request) ?? fail('io', `nobody answers ${request.url}`);
        const { status = 200, headers = {}, body = '' } = answer;
        return { status, headers: Object.entries(headers), body: bytesOf(body) };
      },
      secretExists: (name: string) => options.secrets?.includes(name) ?? false,
    },
    memory: {
      search: (query: string, k: number) => {
        const words = query.toLowerCase().split(/\s+/);
        const holds = ({ text }: Memory.Hit) =>
          words.some((word) => text.toLowerCase().includes(word));
        return memory.filter(holds).slice(0, k);
      },
      remember: (text: string, kind: string, tags: string[]) => {
        const id = `m${memory.length + 1}`;
        memory.push({ id, text, kind, tags, layer: 'interact', score: 1 } as never);
        return id;
      },
    },
    tools: {
      find: () => [],
      call: callTool,
      callAll: (asked: readonly Tools.ToolCall[]) =>
        asked.map(({ name, input }) => ({ tag: 'ok', val: callTool(name, input) })),
    },
    kv: {
      get: (name: string) => kv.get(name),
      set: (name: string, value: Uint8Array) => void kv.set(name, value),
      delete: (name: string) => void kv.delete(name),
      keys: (prefix: string) => [...kv.keys()].filter((name) => name.startsWith(prefix)).sort(),
    },
    clock: { nowMs: () => nowMs },
    // The same in every test: what is random in a test cannot be expected.
    random: {
      bytes: (length: number) => Uint8Array.from({ length }, (_, index) => (index * 37) % 256),
    },
    log: {
      write: (level: string, message: string) => void logs.push({ level, message }),
      progress: () => undefined,
    },
  } satisfies Calls;
  const denied = new Set<string>(options.denied);
  const interfaces = Object.fromEntries(
    Object.entries(made).map(([name, functions]) => [
      name,
      Object.fromEntries(
        Object.entries(functions as Record<string, Call>).map(([call, run]) => [
          call,
          (...args: never[]) => {
            calls.push(`${name}.${call}`);
            if (denied.has(name)) fail('denied', `${name} was not granted`);
            return run(...args);
          },
        ]),
      ),
    ]),
  );
  return { files, kv, memory, logs, calls, interfaces: interfaces as FakeHost['interfaces'] };
}

/** As the host's errors arrive in a component. */
function fail(tag: HostErrorCode, val: string): never {
  throw Object.assign(new Error(val), { payload: { tag, val } });
}

/** One of many: it fails alone. */
function attempted(run: () => unknown): { tag: 'ok' | 'err'; val: unknown } {
  try {
    return { tag: 'ok', val: run() };
  } catch (thrown) {
    return { tag: 'err', val: (thrown as { payload?: unknown }).payload };
  }
}

function rooted(path: string): string {
  return /^[a-z][a-z0-9-]*:/.test(path) ? path : `work:${path}`;
}

function bytesOf(content: FileContent | Uint8Array): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return typeof content === 'string'
    ? new TextEncoder().encode(content)
    : Uint8Array.from(atob(content.base64), (letter) => letter.charCodeAt(0));
}
