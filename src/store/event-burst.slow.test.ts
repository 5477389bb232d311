import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JournalEntry } from '../contracts/journal.ts';
import { openStore } from './open-store.ts';

const count = 100_000;

it('addEvents() loses none of 100,000 events at once, and keeps their order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-burst-'));
  try {
    using store = openStore({ path: join(folder, 'cuervo.db') });
    const entries = Array.from(
      { length: count },
      (_, at): JournalEntry => ({
        kind: 'decision',
        ts: at,
        body: { command: 'c', what: `${at}` },
      }),
    );
    store.addEvents(entries);
    let seen = 0;
    for (let after = 0; ; ) {
      const page = store.eventsAfter(after, 10_000);
      if (page.length === 0) break;
      for (const event of page) {
        expect(event.ts).toBe(seen);
        seen += 1;
      }
      after = page.at(-1)?.seq ?? after;
    }
    expect(seen).toBe(count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
