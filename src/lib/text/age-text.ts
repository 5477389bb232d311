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
