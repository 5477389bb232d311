import type { Config } from '../../contracts/config.ts';
import type { FlushableMemory } from '../../contracts/memory.ts';
import { sourcesAtOnce } from '../../memory/file-documents.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { dropKept } from '../changes/drop-kept.ts';
import { forgetSaid } from './derived-rows.ts';

/** Deletes a session: what was said in it, what its runs did, and the rows of memory it left. */
export async function forgetSession(
  ports: {
    config: Config;
    memory(): Promise<FlushableMemory>;
    store(): Promise<StoreWithJournal>;
    dropDerived(): Promise<void>;
  },
  session: string,
  options: { signal: AbortSignal },
): Promise<void> {
  const store = await ports.store();
  const runs = store.runsOf(session);
  const rows = store.memoryJournal.book.saidIn(session, runs);
  for (let at = 0; at < rows.length; at += sourcesAtOnce) {
    const filter = { ids: rows.slice(at, at + sourcesAtOnce) };
    const memory = await ports.memory();
    await forgetSaid({ memory, store }, [filter], options);
    await memory.forget(filter, { ...options, wipe: true });
  }
  store.deleteSession(session, runs);
  dropKept(ports.config, store, runs);
  await ports.dropDerived();
  store.scrub();
}
