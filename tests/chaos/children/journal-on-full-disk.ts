import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVerifier, headText, openAuditKeys } from '../../../src/journal/audit-keys.ts';
import { explainRun } from '../../../src/journal/explain-run.ts';
import { recordRun } from '../../../src/journal/record-run.ts';
import { sumUp } from '../../../src/journal/sum-up.ts';
import { verifyAudit } from '../../../src/journal/verify-audit.ts';
import { openStore } from '../../../src/store/open-store.ts';

/**
 * Records a run whose disk is full for a while. Prints what its journal tells of that.
 *
 * `node journal-on-full-disk.ts HOME`, the mount point of a small file system
 */
const [home = ''] = process.argv.slice(2);
const filler = join(home, 'filler');
const keys = openAuditKeys(home);
using store = openStore({ path: join(home, 'cuervo.db'), auditKey: keys.chainKey });
const journal = recordRun(
  store,
  { id: 'r1', command: 'ask', question: 'q', project: '/p', model: 'none' },
  {
    clock: { nowMs: () => 5 },
    withoutSecrets: (text) => text,
    signHead: () => keys.signHead(store, 5),
  },
);
/** More than the room that is left in the log. */
const others = Array.from({ length: 4_096 }, (_, at) => `${at} of the kinds`);

const { bavail, bsize } = statfsSync(home);
writeFileSync(filler, Buffer.alloc(bavail * bsize));
journal.noted('reading', { kind: 'how', others });
let refused = '';
try {
  journal.decided('plugin grant', others.join(' '));
} catch (thrown) {
  refused = (thrown as { code?: string }).code ?? '';
}
rmSync(filler);
journal.noted('reading', { kind: 'where', others: [] });
journal.finish(undefined);

const events = store.events('r1');
const row = store.run('r1');
const report = verifyAudit({
  ...{ store, headText, chainKey: keys.readChainKey(), headLines: keys.readHeads() },
  isSigned: createVerifier(keys.publicKey()),
});
process.stdout.write(
  JSON.stringify({
    refused,
    kinds: events.map(({ kind }) => kind),
    gaps: sumUp(store).gaps,
    missing: row === undefined ? [] : explainRun(row, events).missing,
    whole: report.whole,
  }),
);
