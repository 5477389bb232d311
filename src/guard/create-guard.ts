import { type PrivacySettings, personalKinds } from '../contracts/config.ts';
import type { EventOf } from '../contracts/events.ts';
import type { ModelRequest, ModelToolCall } from '../contracts/model.ts';
import type { JsonObject } from '../contracts/tool.ts';
import {
  createEchoFinder,
  createWordFilter,
  type EchoFinder,
  type WordFilter,
  withoutEcho,
} from './create-echo-finder.ts';
import { createRedactor } from './create-redactor.ts';
import { createVault, StandInError } from './create-vault.ts';
import { createLeakFinder, links, openLink } from './find-leak.ts';
import { findOrders } from './find-orders.ts';
import { escapeDelimiters, showHidden } from './mark-untrusted.ts';
import { createReadTexts, hostOf, stringsOf } from './read-texts.ts';
import { createTextCache, type Secret } from './scan-text.ts';

/** A checkpoint's action, without the text itself. */
export type GuardNotice = Omit<EventOf<'guard'>, 'type' | 'ts' | 'run'>;

/** Text of a file, a tool or memory; it is not trusted. */
export type OutsideText = {
  source: string;
  text: string;
  /** the message of a failed tool, which often repeats the words of the call */
  isError?: boolean;
};

/** The checkpoints of one run with a model. */
export type Guard = {
  /** adds secrets of this run that no shown text holds: from whole files, or from parts cut off */
  know(secrets: readonly Secret[]): void;
  /** before a model: everything that is sent passes here; texts come back as they may be sent */
  request(request: ModelRequest): ModelRequest;
  /** a conversation to be kept, without secrets; with personal data, which stays on this machine */
  kept<Value>(value: Value): Value;
  /** before a model: words of the person, or of the model itself, as they may be sent */
  own(text: string): string;
  /** on results: text of others as it may be shown to the model */
  outside<Part extends OutsideText>(part: Part): Part;
  /** after a model: its words as they come */
  words(): WordFilter;
  /** after a model: the input with values for its stand-ins, or why the call is refused */
  call(
    call: ModelToolCall,
    options: { leavesMachine: boolean },
  ): { input: JsonObject } | { refusal: string };
  /** the actions since the last call */
  notices(): GuardNotice[];
};

const maxSourceCharacters = 200;

/**
 * Characters of earlier outgoing calls that are compared, since a secret may be split among calls.
 */
const maxSent = 4_096;

/**
 * Redacts what must not leave for a remote model; shows and flags results that pretend to be more
 * than data; keeps secrets and copied text out of a model's words and calls. Except for the
 * redaction of known forms these are warnings: the boundary is what was granted.
 *
 * @param options.isHeard whether the model's words come here, too; else nothing is kept to compare
 *   them with
 * @param options.remote whether requests leave the machine; nothing is redacted otherwise
 */
export function createGuard(options: {
  remote: boolean;
  privacy: PrivacySettings;
  question: string;
  isHeard?: boolean;
}): Guard {
  const { remote, privacy, question, isHeard = true } = options;
  const vault = createVault();
  const kept = new Set<string>(privacy.personalData === 'send' ? personalKinds : privacy.send);
  const { notice, takeNotices } = createNotices();
  const echoes = createEchoFinder();
  /** A cache of checked texts: they come again in every round. A new secret empties it. */
  const done = createTextCache<{ text: string; warning: string }>();
  const told = createTextCache<true>();
  const seenTexts = createReadTexts();
  const remember: typeof seenTexts.remember = (text, isError) => {
    if (isHeard) seenTexts.remember(text, isError);
  };
  const noteInvented = (text: string): void => {
    if (isHeard) seenTexts.noteInvented(text);
  };
  let sent = '';

  const redactor = createRedactor({
    ...{ remote, kept, vault, echoes, notice },
    onFresh: () => done.clear(),
  });
  const { redacted } = redactor;

  const leakOf = createLeakFinder({
    wasRead: seenTexts.wasRead,
    copies: seenTexts.copies,
    sentences: seenTexts.sentences,
    personal: vault.personal,
    holdsSecret: (text) => echoes.find(text).length > 0,
  });

  const looked = (
    text: string,
    source: string,
    isError: boolean,
  ): { text: string; warning: string } => {
    const point = 'tool-result';
    const before = done.get(text);
    if (before !== undefined) return before;
    if (!told.has(text)) {
      remember(text, isError);
      vault.noteLookAlikes(text);
    }
    const seen = showHidden(redactor.result(text, source));
    const escaped = escapeDelimiters(seen.text);
    for (const { as, of } of [...seen.shown, ...escaped.shown]) vault.showAs(as, of);
    const orders = findOrders(text);
    if (!told.has(text)) {
      notice({ point, check: 'hidden-text', action: 'escaped' }, countOf(seen.shown), source);
      notice({ point, check: 'delimiter', action: 'escaped' }, countOf(escaped.shown), source);
      const counts = Object.fromEntries(orders.map((kind) => [kind, 1]));
      notice({ point, check: 'orders', action: 'flagged' }, counts, source);
    }
    told.set(text, true);
    const warning = orders.length === 0 ? '' : ', which holds text that reads like an order';
    const safe = { text: escaped.text, warning };
    done.set(text, safe);
    return safe;
  };

  /** Pasted text may hold more than the person sees. */
  const own: Guard['own'] = (text) => {
    const seen = showHidden(redacted(text, undefined));
    for (const { as, of } of seen.shown) vault.showAs(as, of);
    if (!told.has(text)) {
      const check = 'hidden-text';
      notice({ point: 'before-model', check, action: 'escaped' }, countOf(seen.shown));
    }
    told.set(text, true);
    return seen.text;
  };

  const outside: Guard['outside'] = (part) => {
    const source = showHidden(redacted(part.source, undefined)).text;
    const { text, warning } = looked(part.text, source, part.isError === true);
    return { ...part, source: `${source}${warning}`, text };
  };

  /** A part of the model's words, whole words long. */
  const look = (part: string): string => {
    const linked = part.replace(links, (whole) => {
      const url = whole.replace(/[).,;:!?*_]+$/, '');
      const leak = leakOf(url);
      if (leak === undefined) return whole;
      const host = hostOf(url);
      notice({ point: 'after-model', check: 'link', action: 'withheld' }, { [leak]: 1 }, host);
      return `[link withheld: ${host}]${whole.slice(url.length)}`;
    });
    const { text, counts } = withoutEcho(linked, echoes.find(linked));
    notice({ point: 'after-model', check: 'echo', action: 'redacted' }, counts);
    return vault.restoreText(text);
  };

  /** The place from which words wait until it is known how they go on. */
  const openFrom = (text: string): number => {
    const open = echoes.openFrom(text);
    const link = openLink.exec(text.slice(0, open));
    return link === null ? open : echoes.openFrom(text.slice(0, link.index));
  };

  const call: Guard['call'] = ({ name, input }, { leavesMachine }) => {
    const point = 'after-model';
    try {
      const whole = vault.restoreInput(input, { leavesMachine });
      const json = JSON.stringify(whole.input);
      const said = stringsOf(whole.input).join('');
      noteInvented(json);
      if (leavesMachine) {
        // A secret may be split among fields or calls.
        const kind = kindIn(echoes, [json, sent + said]);
        if (kind !== undefined) {
          notice({ point, check: 'echo', action: 'refused' }, { [kind]: 1 }, name);
          return {
            refusal: `the input holds a secret of this run (${kind}); tools that run programs or use a network do not get it`,
          };
        }
        sent = (sent + said).slice(-maxSent);
      }
      notice({ point, check: 'stand-in', action: 'restored' }, whole.counts, name);
      return { input: whole.input };
    } catch (thrown) {
      if (!(thrown instanceof StandInError)) throw thrown;
      notice({ point, check: 'stand-in', action: 'refused' }, { call: 1 }, name);
      return { refusal: thrown.message };
    }
  };

  remember(question, false);
  vault.noteLookAlikes(question);
  return {
    know: redactor.know,
    request: redactor.request,
    kept: redactor.kept,
    own,
    outside,
    words: () => createWordFilter(look, openFrom),
    call,
    notices: takeNotices,
  };
}

/** The kind of a secret that one of the texts holds, in one piece or several. */
function kindIn(echoes: EchoFinder, texts: readonly string[]): string | undefined {
  const [echo] = texts.flatMap((text) => echoes.find(text));
  return echo?.kind ?? texts.map(echoes.spelled).find((kind) => kind !== undefined);
}

function countOf(shown: readonly { as: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { as } of shown) counts[as] = (counts[as] ?? 0) + 1;
  // A list of all kinds could be as long as the text.
  const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return Object.fromEntries(entries.slice(0, 8));
}

/** The checkpoints' actions since the last question. */
function createNotices(): {
  notice(
    of: Pick<GuardNotice, 'point' | 'check' | 'action'>,
    counts: Record<string, number>,
    source?: string,
  ): void;
  takeNotices(): GuardNotice[];
} {
  const notices: GuardNotice[] = [];
  return {
    notice: (of, counts, source) => {
      if (Object.keys(counts).length === 0) return;
      const where = source?.replace(/\s+/g, ' ').slice(0, maxSourceCharacters);
      notices.push({ ...of, counts, ...(where === undefined ? {} : { source: where }) });
    },
    takeNotices: () => notices.splice(0),
  };
}
