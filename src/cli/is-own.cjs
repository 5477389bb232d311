'use strict';
const { lstatSync, readFileSync, readlinkSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

/**
 * Whether only this user and root can write what lies there or put another in its place, by the
 * owner and the bits of every part of the path, those behind links too.
 *
 * @param {string} path absolute
 * @param {{ isPrivate?: boolean }} options whether it must be this user's and others may not enter
 */
module.exports = function isOwn(path, { isPrivate = false } = {}) {
  const uid = process.getuid?.();
  // Windows has neither owners nor bits.
  if (uid === undefined) return true;
  const waiting = path.split('/');
  let at = '/';
  let root = rootOwner();
  for (let links = 0; ; ) {
    const found = lstatSync(at);
    if (found.uid !== uid && found.uid !== 0 && found.uid !== root) return false;
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > 40) return false;
      waiting.unshift(...resolve(dirname(at), readlinkSync(at)).split('/'));
      at = '/';
      root = rootOwner();
      continue;
    }
    if (waiting.length === 0) {
      if (isPrivate) return found.uid === uid && (found.mode & 0o077) === 0;
      return (found.mode & 0o022) === 0;
    }
    // In a sticky folder nobody moves what belongs to another.
    const isShared = (found.mode & 0o022) !== 0;
    if (isShared && (found.mode & 0o1000) === 0) return false;
    if (isShared || found.uid !== root) root = 0;
    at = join(at, waiting.shift());
  }
};

/**
 * The owner that root's files show. In a user namespace without root, root and strangers show the
 * same owner. There a folder counts as root's only if all folders above it do, and nobody else can
 * write them.
 */
function rootOwner() {
  try {
    if (/^\s*0\s/m.test(readFileSync('/proc/self/uid_map', 'utf8'))) return 0;
    return Number(readFileSync('/proc/sys/kernel/overflowuid', 'utf8'));
  } catch {
    return 0;
  }
}
