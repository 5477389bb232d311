import { spawn } from 'node:child_process';
import { KernelError } from '../../contracts/error.ts';

/** Glue and core modules may take this much together; a QuickJS component makes 2 MB. */
const maxOutputBytes = 128 * 1024 * 1024;
const maxFiles = 200;
/** What jco may name a file: anything else never becomes a path of ours. */
const fileName = /^component(\.core\d*\.wasm|\.js)$/;

export type TranspileOptions = {
  /** built bundle of `child.ts`; its wasm files lie beside it */
  bundle: string;
  timeoutMs: number;
  signal: AbortSignal;
};

/**
 * JavaScript glue and core modules of a component, made in a process of its own.
 *
 * @returns file name -> bytes
 * @throws {KernelError} `plugin-fault` when the component cannot be transpiled,
 *   `deadline-exceeded` when that takes longer than `timeoutMs`
 */
export async function transpileComponent(
  component: Uint8Array,
  options: TranspileOptions,
): Promise<Map<string, Buffer>> {
  const { stdout, stderr, how } = await runChild(component, options);
  if (how !== undefined) {
    const reason = firstReason(stderr);
    throw new KernelError('plugin-fault', `the component cannot be transpiled: ${reason ?? how}`);
  }
  return unpack(stdout);
}

async function runChild(
  component: Uint8Array,
  options: TranspileOptions,
): Promise<{ stdout: Buffer; stderr: string; how: string | undefined }> {
  const folder = options.bundle.slice(0, options.bundle.lastIndexOf('/'));
  const child = spawn(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${folder}/*`,
      '--max-old-space-size=1024',
      '--no-warnings',
      options.bundle,
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/' },
  );
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > maxOutputBytes) kill();
    else chunks.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 64 * 1024) stderr += chunk.toString('utf8');
  });
  // The child may end before it has read everything; `close` tells how.
  child.stdin.on('error', () => {});
  child.stdin.end(component);
  const how = await new Promise<string | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) =>
      resolve(code === 0 ? undefined : `it ended with ${by ?? code}`),
    );
  });
  signal.removeEventListener('abort', kill);
  if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
  if (timeout.aborted) {
    const message = `transpiling took longer than ${options.timeoutMs} ms (transpileTimeoutMs)`;
    throw new KernelError('deadline-exceeded', message);
  }
  if (size > maxOutputBytes) {
    const message = `transpiling gives more than ${maxOutputBytes} bytes`;
    throw new KernelError('plugin-fault', message);
  }
  return { stdout: Buffer.concat(chunks), stderr, how };
}

/** The line of a crash report that says why, without stack and paths. */
function firstReason(stderr: string): string | undefined {
  const line =
    /(?:ComponentError|Error|panicked at[^\n]*\n?)[:\s]+([^\n]+)/.exec(stderr)?.[1] ??
    /(panicked[^\n]*)/.exec(stderr)?.[1];
  return line?.trim().slice(0, 300);
}

function unpack(output: Buffer): Map<string, Buffer> {
  const end = output.indexOf(10);
  const list = JSON.parse(output.subarray(0, end).toString('utf8')) as [string, number][];
  if (list.length > maxFiles) {
    throw new KernelError(
      'plugin-fault',
      `the component has ${list.length} parts, limit ${maxFiles}`,
    );
  }
  const files = new Map<string, Buffer>();
  let offset = end + 1;
  for (const [name, length] of list) {
    // Interface files are types only, and their names come from the binary.
    if (fileName.test(name)) files.set(name, output.subarray(offset, offset + length));
    else if (!name.startsWith('interfaces/')) {
      throw new KernelError('plugin-fault', `the transpiler made an unexpected file "${name}"`);
    }
    offset += length;
  }
  return files;
}
