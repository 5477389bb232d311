'use strict';
const { lstatSync, readlinkSync } = require('node:fs');
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
  for (let links = 0; ; ) {
    const found = lstatSync(at);
    if (found.uid !== uid && found.uid !== 0) return false;
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > 40) return false;
      waiting.unshift(...resolve(dirname(at), readlinkSync(at)).split('/'));
      at = '/';
      continue;
    }
    if (waiting.length === 0) {
      if (isPrivate) return found.uid === uid && (found.mode & 0o077) === 0;
      return (found.mode & 0o022) === 0;
    }
    // In a sticky folder nobody moves what belongs to another.
    if ((found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0) return false;
    at = join(at, waiting.shift());
  }
};
