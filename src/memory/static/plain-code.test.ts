import { expect, it } from 'vitest';
import { plainCode } from '../texts.ts';

it('plainCode() splits names where their words end and drops signs', () => {
  expect(plainCode('const max_retry_count = parseHTTPHeader(x2Y);')).toBe(
    'const max retry count parse HTTP Header x2 Y',
  );
  expect(plainCode("don't stop.")).toBe("don't stop.");
});
