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
