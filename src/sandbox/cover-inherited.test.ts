import { type IOType, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** Says why a program that is missing could not be started. */
const program = `
import { spawn } from 'node:child_process';
import { coverInherited } from ${JSON.stringify(join(import.meta.dirname, 'cover-inherited.ts'))};
const child = spawn('/nothing/here', { stdio: coverInherited(['pipe']) });
child.once('error', ({ code }) => console.log(code));
child.once('exit', (code) => console.log('exit', code));`;

// Node hears of it by a descriptor below the one that is inherited, which is not one to cover.
it.skipIf(process.platform === 'win32').each([3, 250])(
  'leaves what tells cuervo that a program is not there, where %i was left open',
  async (leaked) => {
    const ignored = Array.from({ length: leaked - 3 }, (): IOType => 'ignore');
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit', ...ignored, 'pipe'],
    });
    const [said] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      once(child, 'close'),
    ]);
    expect(said).toBe('ENOENT\n');
  },
);
