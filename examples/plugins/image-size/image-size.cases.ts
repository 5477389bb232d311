import { defineCases } from '@cuervo/sdk/testing';

/** The first bytes of each format, with 3 × 2 points. */
const files = {
  'a.png': { base64: 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAAA=' },
  'b.gif': { base64: 'R0lGODlhAwACAA==' },
  'c.jpg': { base64: '/9j/4AAEAAD/wAARCAACAAMDASIA' },
  'd.svg': '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"/>',
  'e.png': 'no image',
};
const call = { tool: 'of', files, grants: ['fs:work'] };
const size = { width: 3, height: 2 };

export default defineCases([
  {
    ...call,
    name: 'reads PNG',
    input: { path: 'a.png' },
    expect: { content: { path: 'a.png', format: 'png', ...size }, summary: '3 × 2 png' },
  },
  {
    ...call,
    name: 'reads GIF',
    input: { path: 'b.gif' },
    expect: { has: { format: 'gif', ...size } },
  },
  {
    ...call,
    name: 'reads JPEG',
    input: { path: 'c.jpg' },
    expect: { has: { format: 'jpeg', ...size } },
  },
  {
    ...call,
    name: 'reads SVG',
    input: { path: 'd.svg' },
    expect: { has: { format: 'svg', ...size } },
  },
  {
    ...call,
    name: 'refuses what is no image',
    input: { path: 'e.png' },
    expect: { error: 'invalid-argument' },
  },
  {
    ...call,
    name: 'lists images, the largest first',
    tool: 'list',
    expect: { has: [{ path: 'a.png', format: 'png' }], summary: '4 images' },
  },
  {
    ...call,
    name: 'is denied without a grant',
    grants: [],
    input: { path: 'a.png' },
    expect: { error: 'permission-denied' },
  },
]);
