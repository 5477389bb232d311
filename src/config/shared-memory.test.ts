import { describe, expect, it } from 'vitest';
import { sharedMemory } from './shared-memory.ts';

const uri = 's3://bucket/memory';

describe('sharedMemory()', () => {
  it('is nothing without an address, whatever the environment holds', () => {
    expect(sharedMemory(undefined, { AWS_ACCESS_KEY_ID: 'k' })).toBeUndefined();
  });

  it('takes keys, region and endpoint from the environment', () => {
    const env = {
      AWS_ACCESS_KEY_ID: 'k',
      AWS_SECRET_ACCESS_KEY: 's',
      AWS_SESSION_TOKEN: '',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT: 'https://minio.example',
      AWS_ENDPOINT_URL: 'https://s3.example',
    };
    expect(sharedMemory(uri, env)).toEqual({
      uri,
      options: {
        aws_access_key_id: 'k',
        aws_secret_access_key: 's',
        region: 'eu-west-1',
        endpoint: 'https://s3.example',
      },
    });
  });

  it('allows plain HTTP to this machine alone', () => {
    const allowed = (AWS_ENDPOINT: string) =>
      sharedMemory(uri, { AWS_ENDPOINT })?.options.allow_http;
    expect(['http://127.0.0.1:9000', 'http://localhost:1', 'http://[::1]:1'].map(allowed)).toEqual([
      'true',
      'true',
      'true',
    ]);
    expect(['http://s3.example', 'http://127.0.0.1.example', 'no url'].map(allowed)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
