const turns = async (count) => {
  for (let left = count; left > 0; left -= 1) await null;
};
const forever = () => new Promise(() => {});

export async function sum(bytes) {
  let total = 0;
  for await (const part of bytes) for (const byte of part) total += byte;
  return total;
}

export async function count(to) {
  return Array.from({ length: to }, (_, index) => index);
}

export async function endless() {
  const full = new Uint8Array(65_536).fill(1);
  return (async function* () {
    for (;;) yield full;
  })();
}

export async function silent() {
  return (async function* () {
    yield Uint8Array.of(1);
    await forever();
  })();
}

export async function broken() {
  return (async function* () {
    yield Uint8Array.of(1);
    throw new Error('in the middle');
  })();
}

export async function never() {
  return await forever();
}

export async function spin() {
  for (;;) await null;
}

export async function linger() {
  await turns(20_000);
  return 2;
}

export async function swell() {
  const kept = [];
  for (;;) {
    await null;
    try {
      kept.push(new Uint8Array(1_048_576).fill(1));
    } catch {
      const mebibytes = kept.length;
      kept.length = 0;
      return mebibytes;
    }
  }
}

export async function breakOff(bytes) {
  for await (const part of bytes) return part.length > 0;
}
