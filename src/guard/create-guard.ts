import type { EventOf } from '../contracts/events.ts';
import type { ModelRequest, ModelToolCall } from '../contracts/model.ts';
import { type PrivacySettings, personalKinds } from '../contracts/personal-data.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { createEchoFinder, type EchoFinder, withoutEcho } from './create-echo-finder.ts';
import { createVault, StandInError } from './create-vault.ts';
import { escapeDelimiters } from './escape-delimiters.ts';
import { createWordFilter, type WordFilter } from './filter-words.ts';
import { createLeakFinder } from './find-leak.ts';
import { findOrders } from './find-orders.ts';
import { createReadTexts, hostOf } from './read-texts.ts';
import { createResultTrail } from './result-trail.ts';
import {
  joinFindings,
  replaceFindings,
  type Secret,
  scan,
  secretKinds,
  secretsOf,
} from './scan-text.ts';
import { showHidden } from './show-hidden.ts';
import { stringsOf } from './strings-of.ts';

/** A checkpoint's action, without the text itself. */
export type GuardNotice = Omit<EventOf<'guard'>, 'type' | 'ts' | 'run'>;

/** Text of a file, a tool or memory; it is not trusted. */
export type OutsideText = {
  source: string;
  text: string;
  /** what a tool says that failed, often in the words of the call */
  isError?: boolean;
};

/** The checkpoints of one run with a model. */
export type Guard = {
  /** told of secrets of this run that nothing shown holds: of whole files, and of what was cut off */
  know(secrets: readonly Secret[]): void;
  /** before a model: the one gate for all that is sent, with each of its texts as it may be sent */
  request(request: ModelRequest): ModelRequest;
  /** before a model: words of the person, or of the model itself, as they may be sent */
  own(text: string): string;
  /** on results: text of others as it may be shown to the model */
  outside<Part extends OutsideText>(part: Part): Part;
  /** after a model: its words as they come */
  words(): WordFilter;
  /** after a model: an input with values in the place of stand-ins, or why the call is not made */
  call(
    call: ModelToolCall,
    options: { leavesMachine: boolean },
  ): { input: JsonObject } | { refusal: string };
  /** what happened since this was asked last */
  notices(): GuardNotice[];
};

const maxSourceCharacters = 200;

/**
 * Characters of earlier outgoing calls that are compared, since a secret may be split among calls.
 */
const maxSent = 4_096;

/** HTML attributes whose value is an address. */
const attribute = String.raw`\b(?:src|href|action|formaction|poster|data|ping|background|cite)\s{0,4}`;

/** What an address goes on with: a quote within it, too, and not the one behind it. */
const more = /(?:[^\s<>"'`]|["'`](?=[\w%]))/.source;
/** Of a scheme, or of a host with a path as scp takes it; a line of a file is no address. */
const ofAnyScheme = String.raw`(?<![a-z0-9+./-])[a-z][a-z0-9+.-]{1,255}:(?!\d+(?:[-:,]\d+)*(?:[^\w/?#@%,:-]|[,:-](?!\d)|$))${more}+`;

const linkForms: readonly string[] = [
  // In Markdown between angle brackets, where an address may hold spaces.
  String.raw`(?<=\](?:\(|:)\s{0,4}<)[^<>\n]+(?=>)`,
  // In HTML between quotes, where it may, too, and where it is read without its entities.
  ...['"', "'"].map(
    (quote) =>
      String.raw`(?<=${attribute}=\s{0,4}${quote})(?=[^${quote}\n]{0,40}(?:[:&]|[\\/]{2}))[^${quote}\n]{1,4096}(?=${quote})`,
  ),
  // An address of mail, and a place on a host.
  String.raw`(?<![\w.+-])[\w.+-]{16,256}@[\w-]{1,63}(?:\.[\w-]{1,63})+(?!:)`,
  String.raw`(?<![\w.+-])[\w.+-]{1,256}@[\w.-]{1,253}:${more}+`,
  // A target in Markdown: readers drop its backslashes, read its entities and mend its slashes.
  String.raw`(?<=\](?:\(|:)\s{0,4})(?:[\\/]{2}|[^\s<>/"'${'`'}]{0,40}?(?::|&#|&colon;))${more}+`,
  String.raw`(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,255}:\/\/${more}+`,
  ofAnyScheme,
  String.raw`(?<=[([{<"'=,]\s{0,4})[\\/]{2}${more}+`,
  String.raw`(?<!\S)\/\/[\w-]+(?:\.[\w-]+)+\/${more}+`,
  String.raw`(?<![\w\\])\\\\[\w-]+(?:\.[\w-]+)+\\${more}+`,
  String.raw`(?<![\w.-])www\.${more}+`,
];

/** Addresses of any scheme, and what Markdown, HTML or a reader takes for one. */
const links = new RegExp(linkForms.join('|'), 'gi');
/** The start of an address with spaces whose end is still to come. */
const openLink = new RegExp(
  String.raw`\](?:\(|:)\s{0,4}(?:<[^<>\n]{0,4096})?$|${attribute}(?:=\s{0,4}(?:"[^"\n]{0,4096}|'[^'\n]{0,4096})?)?$`,
  'i',
);

/**
 * Redacts for a remote model what must not leave, shows and flags on every result what pretends to
 * be more than data, and keeps secrets and copied text out of what a model says and calls. All of it
 * but the redaction of known forms is a warning beside the boundary, which is what was granted.
 *
 * @param options.remote whether requests leave the machine; nothing is redacted otherwise
 */
export function createGuard(options: {
  remote: boolean;
  privacy: PrivacySettings;
  question: string;
}): Guard {
  const { remote, privacy, question } = options;
  const vault = createVault();
  const kept = new Set<string>(privacy.personalData === 'send' ? personalKinds : privacy.send);
  const { notice, takeNotices } = createNotices();
  const echoes = createEchoFinder();
  const known = new Set<string>();
  /** texts that were looked at, for they come again in every round, until another secret is known */
  const done = new Map<string, { text: string; warning: string }>();
  const clean = new Map<string, string>();
  const told = new Set<string>();
  const seenTexts = createReadTexts();
  const { remember, noteInvented } = seenTexts;
  let sent = '';

  const know: Guard['know'] = (secrets) => {
    const fresh = secrets.filter(({ kind, value }) => echoes.add(kind, value));
    if (fresh.length === 0 || !remote) return;
    for (const secret of fresh) trail.add(secret);
    done.clear();
    clean.clear();
  };
  const trail = createResultTrail(know);

  /** Takes out what must not leave; a local model is shown everything. */
  const redacted = (text: string, source: string | undefined): string => {
    const before = clean.get(text);
    if (before !== undefined) return before;
    know(secretsOf(text));
    const found = joinFindings(remote ? echoes.find(text) : [], scan(text, { keep: kept }));
    const fresh: { secret: Record<string, number>; personal: Record<string, number> } = {
      secret: {},
      personal: {},
    };
    for (const { kind, start, end } of found) {
      const value = text.slice(start, end);
      const isSecret = secretKinds.has(kind);
      if (known.has(`${kind} ${value}`)) continue;
      known.add(`${kind} ${value}`);
      const counts = isSecret ? fresh.secret : fresh.personal;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    if (!remote) return text;
    const point = 'before-model';
    notice({ point, check: 'secret', action: 'redacted' }, fresh.secret, source);
    notice({ point, check: 'personal-data', action: 'redacted' }, fresh.personal, source);
    const result = replaceFindings(text, found, vault.standInOf);
    clean.set(text, result).set(result, result);
    return result;
  };

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
    remember(text, isError);
    vault.noteLookAlikes(text);
    const whole = redacted(text, source);
    const kind = remote ? trail.completes(whole) : undefined;
    const seen = showHidden(kind === undefined ? whole : vault.standInOf(kind, whole));
    if (kind !== undefined) {
      notice({ point: 'before-model', check: 'secret', action: 'redacted' }, { [kind]: 1 }, source);
    }
    const escaped = escapeDelimiters(seen.text);
    for (const { as, of } of [...seen.shown, ...escaped.shown]) vault.showAs(as, of);
    notice({ point, check: 'hidden-text', action: 'escaped' }, countOf(seen.shown), source);
    notice({ point, check: 'delimiter', action: 'escaped' }, countOf(escaped.shown), source);
    const orders = findOrders(text);
    const counts = Object.fromEntries(orders.map((kind) => [kind, 1]));
    notice({ point, check: 'orders', action: 'flagged' }, counts, source);
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
    told.add(text);
    return seen.text;
  };

  const outside: Guard['outside'] = (part) => {
    const source = showHidden(redacted(part.source, undefined)).text;
    const { text, warning } = looked(part.text, source, part.isError === true);
    return { ...part, source: `${source}${warning}`, text };
  };

  const request: Guard['request'] = (asked) => {
    if (!remote) return asked;
    const messages = asked.messages.map((message) => {
      if (message.role !== 'assistant' || message.raw === undefined) return message;
      // Its provider takes its own form unchanged, or not at all.
      const { raw, ...said } = message;
      return JSON.stringify(withTexts(raw, sendable)) === JSON.stringify(raw) ? message : said;
    });
    return withTexts({ ...asked, messages }, sendable);
  };
  const sendable = (text: string): string => redacted(text, undefined);

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
        // Shared out among fields or calls it is the same secret.
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
    know,
    request,
    own,
    outside,
    words: () => createWordFilter(look, openFrom),
    call,
    notices: takeNotices,
  };
}

/** Of a secret that one of the texts holds, in one piece or in several. */
function kindIn(echoes: EchoFinder, texts: readonly string[]): string | undefined {
  const [echo] = texts.flatMap((text) => echoes.find(text));
  return echo?.kind ?? texts.map(echoes.spelled).find((kind) => kind !== undefined);
}

/** A value with something else for each of its texts; names of fields are no text. */
function withTexts<Value>(value: Value, of: (text: string) => string): Value {
  if (typeof value === 'string') return of(value) as Value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, of)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withTexts(item, of)]);
  return Object.fromEntries(entries) as Value;
}

function countOf(shown: readonly { as: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { as } of shown) counts[as] = (counts[as] ?? 0) + 1;
  // Names of many would be as long as the text.
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
