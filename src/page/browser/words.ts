/** `2026-11-29 14:05:07`, in the time of the reader. */
export function timeText(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

export function ageText(ms: number, nowMs: number): string {
  const minutes = Math.max(0, Math.round((nowMs - ms) / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60
    ? `${Math.round(minutes / 60)} h ago`
    : `${Math.round(minutes / 1440)} days ago`;
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 120 * 60_000) return `${(ms / 60_000).toFixed(1)} min`;
  return ms < 48 * 3_600_000
    ? `${Math.round(ms / 3_600_000)} h`
    : `${Math.round(ms / 86_400_000)} days`;
}

export function moneyText(usd: number | undefined): string {
  return usd === undefined ? '' : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** The class of a status: how it ended decides the colour, and the word stands beside it. */
export function statusClass(status: string | undefined): string {
  if (status === 'ok' || status === 'done') return 'ok';
  if (status === undefined || status === 'running') return 'going';
  return status === 'canceled' || status === 'cut-off' || status === 'skipped' ? 'left' : 'bad';
}
