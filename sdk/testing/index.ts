/// <reference path="../gen/everything.d.ts" preserve="true" />
export { type Case, defineCases, type FileContent, type RecordedAnswer } from './cases.ts';
export { type FakeHost, type FakeHostOptions, fakeHost } from './fake-host.ts';
export { loadPlugin, type TestedPlugin } from './load-plugin.ts';
