import { type HostService, type PluginValues, ServiceError } from '../../contracts/host-service.ts';
import { argument, parseArguments } from './parse-arguments.ts';

const maxKeyLength = 512;
const maxValueBytes = 1024 * 1024;
const maxKeys = 10_000;
/** Of all values of one plugin. */
const maxTotalBytes = 16 * 1024 * 1024;

/** Private values of a plugin; nobody else's can be named. */
export function createKvServices(values: () => Promise<PluginValues>): [string, HostService][] {
  const key = argument.list([argument.text(maxKeyLength)]);
  const pair = argument.list([argument.text(maxKeyLength), argument.bytes(maxValueBytes)]);
  return [
    [
      'kv.get',
      async (args, { plugin }) => {
        const [name] = parseArguments('kv.get', key, args);
        const value = (await values()).get(plugin, name);
        return { value, target: name, bytes: value?.byteLength ?? 0 };
      },
    ],
    [
      'kv.set',
      async (args, { plugin }) => {
        const [name, value] = parseArguments('kv.set', pair, args);
        const store = await values();
        const total = store.bytes(plugin) + value.byteLength + Buffer.byteLength(name);
        if (total > maxTotalBytes) {
          const text = `kv holds ${total} bytes of ${plugin} then, limit ${maxTotalBytes}`;
          throw new ServiceError('limit', text, name);
        }
        store.set(plugin, name, value);
        return { value: undefined, target: name };
      },
    ],
    [
      'kv.delete',
      async (args, { plugin }) => {
        const [name] = parseArguments('kv.delete', key, args);
        (await values()).delete(plugin, name);
        return { value: undefined, target: name };
      },
    ],
    [
      'kv.keys',
      async (args, { plugin }) => {
        const [prefix] = parseArguments('kv.keys', key, args);
        const keys = (await values()).keys(plugin, prefix);
        if (keys.length > maxKeys) {
          throw new ServiceError('limit', `${keys.length} keys, limit ${maxKeys}`, prefix);
        }
        return { value: keys, target: prefix };
      },
    ],
  ];
}
