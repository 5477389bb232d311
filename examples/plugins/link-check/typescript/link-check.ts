import { progress } from 'cuervo:host/log@0.1.0';

export async function check(urls: string[]): Promise<string[]> {
  const lines: string[] = [];
  let answers = 0;
  await Promise.all(
    urls.map(async (url) => {
      const status = await statusOf(url);
      if (typeof status === 'number') answers += 1;
      const line = `${url}: ${status}`;
      lines.push(line);
      progress(line, lines.length, urls.length);
    }),
  );
  if (answers === 0) throw Object.assign(new Error(), { payload: 'no address answered' });
  return lines;
}

/** A number, or why there is none. */
async function statusOf(url: string): Promise<number | string> {
  if (!/^https?:\/\//.test(url)) return 'no address of the web';
  try {
    return (await fetch(url, { method: 'HEAD' })).status;
  } catch {
    return 'no answer';
  }
}
