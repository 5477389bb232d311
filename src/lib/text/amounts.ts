/** `1 file`, `3 files`: for words whose plural ends with an `s`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `57 MB`, `4.1 GB`, for people. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`;
}

/** `3 min ago`. */
export function ageText(ageMs: number): string {
  const minutes = Math.max(0, Math.round(ageMs / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  const days = Math.round(minutes / 1440);
  if (days < 60) return `${days} days ago`;
  return days < 730
    ? `${Math.round(days / 30.4)} months ago`
    : `${Math.round(days / 365)} years ago`;
}

export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `12 March`, with the year where it is another one than now: `12 March 2024`. In UTC. */
export function dateText(ms: number, nowMs = Date.now()): string {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
  return year === new Date(nowMs).getUTCFullYear() ? day : `${day} ${year}`;
}

/** `98 kB`, `1.7 MB`: a tenth counts where most binaries have one or two. */
export function binarySize(bytes: number): string {
  return bytes < 1e6 ? sizeText(bytes) : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A day, or a first and a last one, as `resolveDays` writes them into a fact. */
export const datedPart = /\((?:\d{4}-\d\d-\d\d to )?(\d{4}-\d\d-\d\d)\)/g;

/** Whether the last day that a text names was ahead when it was said, and is over now. */
export function hasPassed({ text, ts }: { text: string; ts: number }, nowMs: number): boolean {
  const days = [...text.matchAll(datedPart)].map(([, day]) => Date.parse(`${day}T23:59:59.999Z`));
  const last = Math.max(...days);
  return last >= ts && last < nowMs;
}
