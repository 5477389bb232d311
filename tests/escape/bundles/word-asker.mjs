/**
 * In place of the real program of a plugin process: asks the kernel for what it knows of words,
 * with the question that the call brings as text, and gives back what it was told. Descriptors and
 * kinds as in `src/protocol`.
 */
import { readSync, writeSync } from 'node:fs';

const [open, call, reply, part] = [1, 2, 3, 4];
const [ready, request, output] = [65, 70, 72];

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

function send(kind, payload) {
  const header = Buffer.alloc(5);
  header.writeUInt32LE(payload.length + 1, 0);
  header[4] = kind;
  const bytes = Buffer.concat([header, payload]);
  let sent = 0;
  while (sent < bytes.length) sent += writeSync(4, bytes, sent);
}

const sendJson = (kind, message) => send(kind, Buffer.from(JSON.stringify(message)));

/** The output of a call is texts: the content, the summary, the host calls. */
function sendOutput(id, text) {
  const content = Buffer.from(text);
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32LE(id, 0);
  numbers.writeUInt32LE(content.length, 4);
  send(output, Buffer.concat([numbers, content]));
}

function ask(id, { known = [] }, input) {
  const question = JSON.parse(input.question);
  sendJson(request, { id, call: 'help.tally', args: [question] });
  const parts = [];
  for (;;) {
    const { kind, payload } = read();
    if (kind === part) parts.push(payload);
    if (kind !== reply) continue;
    const told = { known, reply: JSON.parse(payload.toString()), parts: parts.length };
    const content = JSON.stringify({ ...told, bytes: Buffer.concat(parts).toString('base64') });
    sendOutput(id, content);
    return;
  }
}

/** What the last call might do: it is told when it changes. */
let terms = {};

for (;;) {
  const { kind, payload } = read();
  if (kind === open) sendJson(ready, { ms: 1 });
  if (kind !== call) continue;
  // Texts: the terms, the tool, the input.
  const toolAt = 12 + payload.readUInt32LE(4);
  const inputAt = toolAt + payload.readUInt32LE(8);
  if (toolAt > 12) terms = JSON.parse(payload.toString('utf8', 12, toolAt));
  ask(payload.readUInt32LE(0), terms, JSON.parse(payload.toString('utf8', inputAt)));
}
