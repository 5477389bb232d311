import { expect } from 'vitest';
import { actStreamer } from './guests/act-streamer/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  config: '[limits]\ncall-timeout-ms = 4000\n',
  fill: async (made) => made.install(await actStreamer()),
});
const run = async (tool: string) => await place.run(`act-streamer.${tool}`, {}, { allow: [] });
const says = /its parts have more than 1048576 bytes \(limits\.max-result-bytes\)/;

escapeCase('parts of a result without an end', {
  denied: [
    [
      'a stream of them ends at the limit of a result',
      async () =>
        expectFailure(place, await run('endless'), { code: 'resource-exhausted', exit: 5, says }),
    ],
    [
      'a list of them does, too',
      async () =>
        expectFailure(place, await run('whole'), { code: 'resource-exhausted', exit: 5, says }),
    ],
    [
      'one that nobody goes on sending ends at the deadline',
      async () => expectFailure(place, await run('silent'), { code: 'deadline-exceeded', exit: 5 }),
    ],
  ],
  control: [
    'a few are given whole',
    async () => expect(expectSuccess(await run('few'))).toBe('one\ntwo'),
  ],
});
