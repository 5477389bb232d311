import { randomBytes } from 'node:crypto';
import {
  dataName,
  type HostCaller,
  type HostServices,
  type PluginValues,
  ServiceError,
  type ValueOwner,
} from '../../contracts/host-service.ts';
import type { OutputReader } from '../../contracts/kept-outputs.ts';
import { argument, parseArguments } from './parse-arguments.ts';

const maxKeyLength = 512;
const maxValueBytes = 1024 * 1024;
const maxKeys = 10_000;
/** Bytes of all values of one plugin in one workspace. */
const maxTotalBytes = 16 * 1024 * 1024;

/** Prefix of the keys for long outputs of a plugin's programs. Plugins only read them. */
const outputPrefix = 'exec-output:';
const outputKey = /^exec-output:([0-9a-f]{64}):(\d{1,6})$/;
/** Bytes of one piece of an output. */
const pieceBytes = 256 * 1024;

/**
 * Private values of a plugin in one workspace; it cannot name others. They include long outputs of
 * its programs: `exec-output:` lists the outputs of the asking step, and `exec-output:ID:NUMBER` is
 * one piece.
 */
export function createKvServices(ports: {
  values(): Promise<PluginValues>;
  outputs(): Promise<OutputReader>;
  /** absolute path of the workspace */
  project: string;
}): HostServices<'kv'> {
  const { values, outputs, project } = ports;
  const key = argument.list([argument.text(maxKeyLength)]);
  const pair = argument.list([argument.text(maxKeyLength), argument.bytes(maxValueBytes)]);
  return {
    'kv.get': async (args, caller) => {
      const [name] = parseArguments('kv.get', key, args);
      const value = name.startsWith(outputPrefix)
        ? outputOf(await outputs(), caller, name)
        : (await values()).get({ plugin: dataName(caller), project }, name);
      return { value, target: name, bytes: value?.byteLength ?? 0 };
    },
    'kv.set': async (args, caller) => {
      const [name, value] = parseArguments('kv.set', pair, args);
      if (name.startsWith(outputPrefix)) {
        const text = `keys that begin with "${outputPrefix}" are written by the host`;
        throw new ServiceError('invalid', text, name);
      }
      const owner = { plugin: dataName(caller), project };
      const store = await values();
      const added = store.bytes(owner) + value.byteLength + Buffer.byteLength(name);
      const total = added > maxTotalBytes ? added - bytesAt(store, owner, name) : added;
      if (total > maxTotalBytes) {
        const text = `kv would hold ${total} bytes of ${caller.plugin}, limit ${maxTotalBytes}`;
        throw new ServiceError('limit', text, name);
      }
      store.set(owner, name, value);
      return { value: undefined, target: name };
    },
    'kv.delete': async (args, caller) => {
      const [name] = parseArguments('kv.delete', key, args);
      (await values()).delete({ plugin: dataName(caller), project }, name);
      return { value: undefined, target: name };
    },
    'kv.keys': async (args, caller) => {
      const [prefix] = parseArguments('kv.keys', key, args);
      const keys = (await values()).keys({ plugin: dataName(caller), project }, prefix);
      if (keys.length > maxKeys) {
        throw new ServiceError('limit', `${keys.length} keys, limit ${maxKeys}`, prefix);
      }
      return { value: keys, target: prefix };
    },
  };
}

/** Bytes that a new value for the key frees. */
function bytesAt(store: PluginValues, owner: ValueOwner, key: string): number {
  const value = store.get(owner, key);
  return value === undefined ? 0 : value.byteLength + Buffer.byteLength(key);
}

function outputOf(
  outputs: OutputReader,
  { plugin, run, step }: HostCaller,
  key: string,
): Uint8Array | undefined {
  if (key === outputPrefix) {
    const kept = run === undefined || step === undefined ? [] : outputs.list(run, step);
    const told = kept
      .filter((each) => each.plugin === plugin)
      .map(({ hash, program, stream, bytes, isCut }) => {
        return {
          id: hash,
          program,
          stream,
          bytes,
          cut: isCut,
          pieces: Math.ceil(bytes / pieceBytes),
        };
      });
    return new TextEncoder().encode(JSON.stringify(told));
  }
  const [, hash = '', number = ''] = outputKey.exec(key) ?? [];
  const piece = outputs.read(plugin, hash, Number(number) * pieceBytes, pieceBytes);
  return piece?.byteLength === 0 ? undefined : piece;
}

/** As WIT says. */
const maxBytes = 65_536;

export function createRandomServices(
  draw: (length: number) => Uint8Array = randomBytes,
): HostServices<'random'> {
  const length = argument.list([argument.count(maxBytes)]);
  return {
    'random.bytes': async (args) => {
      const [count] = parseArguments('random.bytes', length, args);
      return { value: new Uint8Array(draw(count)), target: `${count} bytes`, bytes: count };
    },
  };
}
