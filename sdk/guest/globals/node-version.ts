import { process } from '../node/process.ts';

/*
 * For code that takes the version of Node for granted. Others look for it to tell Node from a
 * browser, and the answer is no.
 */
Object.assign(process, { version: 'v22.0.0' });
Object.assign(process.versions, { node: '22.0.0' });
