import { type AuditHead, openText, type SealedEvent, sealedText } from '../contracts/journal.ts';
import type { AuditReport } from '../contracts/output/parse-journal.ts';
import type { Store } from '../contracts/store.ts';
import { createLeafOf, firstLink, linkOf } from '../lib/hash-chain.ts';
import { parseBody, parseHeads } from './parse-stored.ts';

/** Events that are read at once. */
const pageRows = 2_000;

export type VerifyPorts = {
  store: Pick<Store, 'sealedAfter' | 'heads'>;
  /** undefined where there is none: contents are then not checked */
  chainKey: Uint8Array | undefined;
  /** Whether a text has this signature. */
  isSigned(text: string, signature: string): boolean;
  /** lines of the file of heads */
  headLines: string;
  headText(head: AuditHead): string;
};

/** Follows the chain from its first event and compares it with its signed ends. */
export function verifyAudit(ports: VerifyPorts): AuditReport {
  const { store, chainKey } = ports;
  const heads = collectHeads(ports);
  const leafOf = chainKey === undefined ? undefined : createLeafOf(chainKey);
  const check = createChainCheck(leafOf);
  for (let page = store.sealedAfter(0, pageRows); page.length > 0; ) {
    for (const event of page) {
      check.take(event);
      heads.meet(event);
    }
    page = store.sealedAfter(page.at(-1)?.seq ?? 0, pageRows);
  }
  const problems = [...check.end(), ...heads.end(check.lastSeq())];
  if (leafOf === undefined && check.lastSeq() > 0)
    problems.push({ seq: 0, problem: 'the key of the chain is missing: contents are not proved' });
  return {
    whole: problems.length === 0,
    events: check.count(),
    heads: heads.count(),
    unsigned: check.lastSeq() - Math.min(heads.lastSeq(), check.lastSeq()),
    problems: problems.slice(0, maxProblems),
    notes: check.notes(),
  };
}

type Problem = AuditReport['problems'][number];

/** The first are what counts; a broken chain has as many as events. */
const maxProblems = 20;

export type ChainCheck = {
  take(event: SealedEvent): void;
  end(): Problem[];
  lastSeq(): number;
  count(): number;
  notes(): string[];
};

/** @param leafOf undefined where contents cannot be proved */
export function createChainCheck(leafOf: ((content: string) => string) | undefined): ChainCheck {
  let previous = firstLink;
  let lastSeq = 0;
  let events = 0;
  const problems: Problem[] = [];
  const notes: string[] = [];
  /** run -> numbers of its events without contents */
  const bare = new Map<string, number[]>();

  const add = (seq: number, problem: string): void => {
    if (problems.length < maxProblems) problems.push({ seq, problem });
  };

  const note = (event: SealedEvent): void => {
    const { kind, body, ts, seq } = event;
    if (body === null) return;
    const gap = kind === 'gap' ? parseBody(kind, body) : undefined;
    if (gap !== undefined)
      notes.push(`event ${seq}: ${gap.lost} events could not be written: ${gap.reason}`);
    const removed = kind === 'removed' ? parseBody(kind, body) : undefined;
    if (removed === undefined) return;
    const { why, runs } = removed;
    for (const run of runs) {
      const seqs = bare.get(run);
      if (seqs === undefined) continue;
      bare.delete(run);
      const when = new Date(ts).toISOString();
      notes.push(
        `run ${run}: the contents of ${seqs.length} events were removed by ${why} at ${when}`,
      );
    }
  };

  return {
    take: (event) => {
      const { seq, run, body, leaf, link } = event;
      events += 1;
      if (seq <= lastSeq) add(seq, `it stands behind event ${lastSeq}`);
      lastSeq = seq;
      if (linkOf(previous, leaf, openText(event)) !== link)
        add(seq, 'the link does not follow from the event before it: changed, moved or missing');
      // What follows is held against what is there, so that one break is told once.
      previous = link;
      if (body === null) {
        const seqs = bare.get(run ?? '');
        if (seqs === undefined) bare.set(run ?? '', [seq]);
        else seqs.push(seq);
      } else if (leafOf !== undefined && leafOf(sealedText(event)) !== leaf)
        add(seq, 'the contents were changed');
      note(event);
    },
    end: () => {
      for (const [run, seqs] of bare) {
        const text = `the contents of ${seqs.length} events of run ${run} are missing, and no event says that they were removed`;
        add(seqs[0] ?? 0, text);
      }
      return problems;
    },
    lastSeq: () => lastSeq,
    count: () => events,
    notes: () => notes,
  };
}

function collectHeads({ store, headLines, isSigned, headText }: VerifyPorts) {
  const problems: Problem[] = [];
  const inFile = parseHeads(headLines, (line) =>
    problems.push({ seq: 0, problem: `line ${line} of audit-heads.jsonl is no signed end` }),
  );
  const key = (head: AuditHead): string =>
    JSON.stringify([head.seq, head.link, head.ts, head.signature]);
  const inStore = new Map(store.heads().map((head) => [key(head), head]));
  const known = new Set(inFile.map(key));
  for (const [id, { seq }] of inStore) {
    if (!known.has(id))
      problems.push({ seq, problem: 'its signed end is not in audit-heads.jsonl' });
  }
  const all = new Map([...inStore, ...inFile.map((head) => [key(head), head] as const)]);
  const bySeq = new Map<number, AuditHead[]>();
  for (const head of all.values()) {
    const { seq } = head;
    if (!inStore.has(key(head)))
      problems.push({ seq, problem: 'its signed end is not in cuervo.db' });
    if (!isSigned(headText(head), head.signature))
      problems.push({ seq, problem: 'the signature of this end is wrong' });
    bySeq.set(seq, [...(bySeq.get(seq) ?? []), head]);
  }
  const highest = [...bySeq.keys()].reduce((most, seq) => Math.max(most, seq), 0);
  return {
    count: () => all.size,
    lastSeq: () => highest,
    meet: ({ seq, link }: SealedEvent): void => {
      const met = bySeq.get(seq);
      if (met === undefined) return;
      bySeq.delete(seq);
      if (met.some((head) => head.link !== link))
        problems.push({ seq, problem: 'the signed end is another one' });
    },
    end: (lastSeq: number): Problem[] => {
      for (const seq of bySeq.keys()) {
        const cut =
          seq > lastSeq ? `the tail is cut: the journal ends at ${lastSeq}` : 'it is missing';
        problems.push({ seq, problem: `this end was signed; ${cut}` });
      }
      return problems;
    },
  };
}
