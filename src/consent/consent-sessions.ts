import type { Grant } from '../contracts/capability.ts';
import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { formatGrant, parseGrant } from '../policy/parse-grant.ts';

/** A session can be gone on with for weeks; what was allowed in passing cannot. */
const maxAgeMs = 24 * 3_600_000;

type Holder = { plugin: string; digest: string };
type Kept = Holder & { grant: string; grantedMs: number };

/** A grant of one session, and its end. */
export type SessionGrant = Holder & { session: string; grant: string; expiresMs: number };

/** Grants for one session; they end with the session, or after a day. */
export type ConsentSessions = {
  of(session: string, holder: Holder): Promise<Grant[]>;
  add(session: string, holder: Holder, grant: Grant): Promise<void>;
  /** Grants that sessions of a workspace still hold, the newest session first. */
  list(project: string): Promise<SessionGrant[]>;
  take(taken: readonly SessionGrant[]): Promise<void>;
};

/** Sessions that are looked at; older ones have been silent for longer than a day, or nearly so. */
const maxSessions = 200;

export function openConsentSessions(ports: {
  store(): Promise<Pick<Store, 'getSetting' | 'setSetting' | 'sessions'>>;
  clock: { nowMs(): number };
}): ConsentSessions {
  const { store, clock } = ports;
  const read = async (session: string): Promise<Kept[]> => {
    const { kept } = (await store()).getSetting(keyOf(session)) ?? {};
    if (!Array.isArray(kept)) return [];
    return kept.filter(isKept).filter(({ grantedMs }) => clock.nowMs() - grantedMs < maxAgeMs);
  };
  return {
    of: async (session, holder) =>
      (await read(session))
        .filter((kept) => isOf(kept, holder))
        .map((kept) => parseGrant(kept.grant)),
    add: async (session, holder, grant) => {
      const text = formatGrant(grant);
      const others = (await read(session)).filter(
        (kept) => !isOf(kept, holder) || kept.grant !== text,
      );
      const added: Kept = { ...holder, grant: text, grantedMs: clock.nowMs() };
      (await store()).setSetting(keyOf(session), { kept: [...others, added] } as JsonObject);
    },
    list: async (project) => {
      const found: SessionGrant[] = [];
      for (const { id } of (await store()).sessions({ project, limit: maxSessions })) {
        for (const { grantedMs, ...kept } of await read(id)) {
          found.push({ ...kept, session: id, expiresMs: grantedMs + maxAgeMs });
        }
      }
      return found;
    },
    take: async (taken) => {
      for (const session of new Set(taken.map((each) => each.session))) {
        const its = taken.filter((each) => each.session === session);
        const left = (await read(session)).filter(
          (kept) => !its.some((each) => isOf(kept, each) && kept.grant === each.grant),
        );
        (await store()).setSetting(keyOf(session), { kept: left } as JsonObject);
      }
    },
  };
}

const keyOf = (session: string): string => `consent:${session}`;

function isOf(kept: Kept, { plugin, digest }: Holder): boolean {
  return kept.plugin === plugin && kept.digest === digest;
}

function isKept(value: unknown): value is Kept {
  const { plugin, digest, grant, grantedMs } = Object(value) as Record<string, unknown>;
  const texts = [plugin, digest, grant].every((each) => typeof each === 'string');
  return texts && typeof grantedMs === 'number';
}
