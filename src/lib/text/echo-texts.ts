/** Shorter ones would be found everywhere. */
const minFormLength = 6;

/**
 * The forms in which a value is likely to be written again: as it is, escaped for URLs, JSON or
 * HTML, in hex or base64, also inside of something longer. Deliberate disguises (reversed,
 * encrypted) are not among them.
 *
 * @returns at least six characters each, longest first, so that no form is spoilt by one within it
 */
export function echoTexts(value: string): string[] {
  const strict = encodeURIComponent(value.toWellFormed()).replace(/[!'()*]/g, percent);
  const every = [...value].map(percent).join('');
  const html = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const hex = Buffer.from(value).toString('hex');
  const texts = [
    value,
    ...[encodeURIComponent(value.toWellFormed()), strict, every].flatMap((text) => [
      text,
      lowerPercent(text),
    ]),
    strict.replaceAll('%20', '+'),
    JSON.stringify(value).slice(1, -1),
    value.replaceAll('/', '\\/'),
    html,
    html.replaceAll("'", '&#39;'),
    html.replaceAll("'", '&#x27;'),
    hex,
    hex.toUpperCase(),
    ...base64Forms(value),
    ...decodedForms(value),
  ].filter((text) => text.length >= minFormLength);
  return [...new Set(texts)].sort((one, other) => other.length - one.length);
}

/**
 * Base64 of the value with 0, 1 or 2 bytes before it, without the characters that hold bits of
 * its neighbours: so it is found inside of a longer text, too.
 */
function base64Forms(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const whole = bytes.toString('base64');
    const from = Math.ceil((before * 8) / 6);
    const core = whole.slice(from, Math.floor((bytes.byteLength * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A value that is base64 itself, as of a name and a password, may come back in plain. */
function decodedForms(value: string): string[] {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return [];
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]+$/.test(decoded) ? [decoded] : [];
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function lowerPercent(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
}
