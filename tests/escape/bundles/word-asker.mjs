/**
 * In place of the real program of a plugin process: asks the kernel for what it knows of words,
 * with the question that the call brings as text, and gives back what it was told. Descriptors and
 * kinds as in `src/host/protocol`.
 */
import { readSync, writeSync } from 'node:fs';

const [open, call, reply, part] = [1, 2, 3, 4];
const [ready, result, request] = [65, 66, 70];

function read() {
  const header = Buffer.alloc(5);
  fill(header);
  const payload = Buffer.alloc(header.readUInt32LE(0) - 1);
  fill(payload);
  return { kind: header[4], payload };
}

function fill(buffer) {
  let filled = 0;
  while (filled < buffer.length) {
    const got = readSync(3, buffer, filled, buffer.length - filled, null);
    if (got === 0) process.exit(0);
    filled += got;
  }
}

function send(kind, message, text) {
  const behind = text === undefined ? '' : `\n${text}`;
  const payload = Buffer.from(JSON.stringify(message) + behind);
  const header = Buffer.alloc(5);
  header.writeUInt32LE(payload.length + 1, 0);
  header[4] = kind;
  const bytes = Buffer.concat([header, payload]);
  let sent = 0;
  while (sent < bytes.length) sent += writeSync(4, bytes, sent);
}

function ask({ id, known = [] }, input) {
  const question = JSON.parse(input.question);
  send(request, { id, call: 'help.tally', args: [question] });
  const parts = [];
  for (;;) {
    const { kind, payload } = read();
    if (kind === part) parts.push(payload);
    if (kind !== reply) continue;
    const told = { known, reply: JSON.parse(payload.toString()), parts: parts.length };
    const content = JSON.stringify({ ...told, bytes: Buffer.concat(parts).toString('base64') });
    send(result, { id, calls: [], outcome: 'ok', summary: '' }, content);
    return;
  }
}

for (;;) {
  const { kind, payload } = read();
  if (kind === open) send(ready, { ms: 1 });
  if (kind === call)
    ask(
      ...payload
        .toString()
        .split('\n')
        .map((text) => JSON.parse(text)),
    );
}
