import { KernelError } from '../../contracts/error.ts';
import { isThisMachine } from '../../lib/net/this-machine.ts';
import { quoteText } from '../../lib/text/escape.ts';

/** Where a model comes from. `text` is how it is shown and typed again. */
export type ModelSource =
  | {
      kind: 'hub';
      text: string;
      owner: string;
      name: string;
      revision: string;
      /** a file, or the end of its name before `.gguf`, such as `Q4_K_M`; undefined: the only one */
      file: string | undefined;
    }
  | { kind: 'web'; text: string; url: URL };

const defaultHub = 'https://huggingface.co';

const part = /^[A-Za-z0-9][\w.-]{0,95}$/;
const forms = 'Write hf:OWNER/NAME, hf:OWNER/NAME:FILE.gguf, or the https address of a .gguf file.';

/**
 * Reads the argument of `model pull`. An address of a page or a file of the hub is read as the
 * hub's own form, so that its size, licence and SHA-256 are known.
 *
 * @param hub the address of the hub, or of its mirror
 * @throws {KernelError} `invalid-argument` for a text that is not an address
 */
export function parseModelSource(typed: string, hub: URL): ModelSource {
  const short = /^(?:hf|hub):(?:\/\/)?(.*)$/i.exec(typed)?.[1];
  if (short !== undefined) return hubSource(typed, short);
  if (!/^https?:/i.test(typed)) throw wrong(typed, 'it names neither the hub nor an address');
  const url = URL.parse(typed);
  if (url === null) throw wrong(typed, 'it is not an address');
  if (url.username !== '' || url.password !== '') {
    throw wrong(typed.replace(/\/\/[^/]*@/, '//…@'), 'it holds a user or a password');
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new KernelError('invalid-argument', `${quoteText(typed)} is not read over plain http`, {
      hint: 'Use https. Plain http is for addresses of this machine alone.',
    });
  }
  url.hash = '';
  const isHub = url.origin === hub.origin || url.origin === defaultHub;
  const found = isHub
    ? /^\/([^/]+)\/([^/]+)(?:\/(?:resolve|blob|raw|tree)\/([^/]+)(?:\/(.+))?)?\/?$/.exec(
        url.pathname,
      )
    : null;
  if (found === null) return { kind: 'web', text: url.href, url };
  const [, owner = '', name = '', revision, file] = found;
  const at = revision === undefined || revision === 'main' ? '' : `@${revision}`;
  const of = file === undefined ? '' : `:${decodeURIComponent(file)}`;
  return hubSource(typed, `${owner}/${name}${at}${of}`);
}

function hubSource(typed: string, text: string): ModelSource {
  const match = /^([^/@:]+)\/([^/@:]+)(?:@([^:]+))?(?::(.+))?$/.exec(text);
  if (match === null) throw wrong(typed, 'it names no owner and model');
  const [, owner = '', name = '', revision = 'main', file] = match;
  const stray = [owner, name].find((each) => !part.test(each));
  if (stray !== undefined) throw wrong(typed, `${quoteText(stray)} is not a name at a hub`);
  if (!/^[\w][\w./-]{0,199}$/.test(revision) || revision.includes('..')) {
    throw wrong(typed, `${quoteText(revision)} is not a revision`);
  }
  if (file !== undefined && !isPlainPath(file)) {
    throw wrong(typed, `${quoteText(file)} is not the path of a file in a model`);
  }
  return { kind: 'hub', text: `hf:${text}`, owner, name, revision, file };
}

/** A path that stays below its folder, of characters that a person can read. */
export function isPlainPath(path: string): boolean {
  const parts = path.split('/');
  return parts.length <= 4 && parts.every((each) => /^[A-Za-z0-9_][\w .+()-]{0,199}$/.test(each));
}

function wrong(typed: string, why: string): KernelError {
  return new KernelError('invalid-argument', `${quoteText(typed)} is not a model source: ${why}`, {
    hint: forms,
  });
}
