/** Whether an address is one of this machine; only a person can say that nothing is forwarded. */
export function isOnThisMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host)
  );
}

/** Ollama runs models of these names in its cloud, whatever else it runs. */
export function isCloudModel(model: string): boolean {
  return /[-:]cloud$/i.test(model);
}
