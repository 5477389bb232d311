import URL from 'core-js-pure/actual/url/index.js';
import URLSearchParams from 'core-js-pure/actual/url-search-params/index.js';

Object.assign(globalThis, { URL, URLSearchParams });
