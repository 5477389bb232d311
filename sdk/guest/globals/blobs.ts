import { standInFor } from '../absent-classes.ts';

standInFor({ Blob: 'use Uint8Array', File: 'use Uint8Array' });
