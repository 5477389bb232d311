import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { KernelError } from '../../contracts/error.ts';
import { killGroup } from '../process/child.ts';
import { shellWord } from '../text/escape.ts';
import { isBelow } from './paths.ts';

/** File systems that another machine or program answers for, or does not. */
const remoteTypes =
  /^(?:fuse|nfs|cifs|smb|ceph|lustre|(?:9p|afs|beegfs|coda|glusterfs|gpfs|orangefs)$)/;
/** A server that has to start its disks takes some seconds. */
const patienceMs = 5_000;
/** Two questions that a cache of the kernel does not answer. */
const look = 'stat -f -- "$0"; find "$0" -maxdepth 0 -empty';

type Mount = { point: string; type: string };

/**
 * Looks whether the network file system that holds a folder answers. Nothing ends a process that
 * waits for one which does not, so the look is a process of its own.
 *
 * @param folder absolute; it is not touched
 * @throws {KernelError} `unavailable`, naming one that does not answer in five seconds
 */
export async function requireAnsweringFolder(folder: string): Promise<void> {
  await requireAnswers(holding(folder, mounts()));
}

/** The same for all that is mounted below the folder, too. */
export async function requireAnsweringMounts(folder: string): Promise<void> {
  const all = mounts();
  await requireAnswers([
    ...holding(folder, all),
    ...all.filter(({ point }) => point !== folder && isBelow(point, folder)),
  ]);
}

function holding(folder: string, all: readonly Mount[]): Mount[] {
  const found = all.findLast(({ point }) => isBelow(folder, point));
  return found === undefined ? [] : [found];
}

async function requireAnswers(near: readonly Mount[]): Promise<void> {
  const remote = near.filter(({ type }) => remoteTypes.test(type));
  const answers = await Promise.all(remote.map(({ point }) => doesAnswer(point)));
  const dead = remote.find((_, index) => answers[index] !== true);
  if (dead === undefined) return;
  const command = dead.type.startsWith('fuse') ? 'fusermount3 -uz' : 'sudo umount -l';
  const text = `the file system at ${dead.point} (${dead.type}) has not answered in ${patienceMs / 1000} s`;
  throw new KernelError('unavailable', text, {
    hint: `Wait for its server, or take it away with: ${command} ${shellWord(dead.point)}`,
  });
}

/** In the order in which they were mounted, so that the last one at a path is the one to see. */
function mounts(): Mount[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return []; // no Linux
  }
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const point = fields[4];
    const type = fields[fields.indexOf('-', 6) + 1];
    return point === undefined || type === undefined ? [] : [{ point: unescaped(point), type }];
  });
}

/** Spaces, tabs, line ends and backslashes are written in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** Whether a mount answers. A refusal or a missing program counts as an answer. */
function doesAnswer(point: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const env = { PATH: '/usr/bin:/bin' };
  const child = spawn('/bin/sh', ['-c', look, point], {
    stdio: 'ignore',
    env,
    detached: true,
    cwd: '/',
  });
  const patience = setTimeout(() => {
    killGroup(child);
    child.unref();
    resolve(false);
  }, patienceMs);
  const done = () => {
    clearTimeout(patience);
    resolve(true);
  };
  child.once('exit', done);
  child.once('error', done);
  return promise;
}
