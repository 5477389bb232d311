import { randomBytes } from 'node:crypto';
import type { HostServices } from '../../contracts/host-service.ts';
import { argument, parseArguments } from './parse-arguments.ts';

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
