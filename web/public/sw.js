// The service worker of the static site: everything is here after the first visit, and stays as it is while a tab is open.
// `sandtable page` writes VERSION and FILES before this line. A new version is fetched beside the old one and takes over
// when the last tab of the old one is closed, so an update never changes a match that is being played.
/* global VERSION, FILES */
const CACHE = `sandtable-${VERSION}`;
const HOME = new URL('./', self.location.href).href;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      const old = await caches.keys();
      // A file is named by its content, so one that another version has, or that the tab has just fetched, is as good.
      for (const file of FILES) {
        const address = new URL(file, HOME).href;
        const isNamed = file.includes('/');
        let found = isNamed && old.length ? await caches.match(address) : undefined;
        found ??= await fetch(address, { cache: isNamed ? 'force-cache' : 'no-cache' });
        if (!found.ok) throw new Error(`${file}: ${found.status}`);
        await cache.put(address, found);
      }
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith('sandtable-') && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(HOME)) return;
  const { origin, pathname } = new URL(request.url);
  const isHome = [HOME, `${HOME}index.html`].includes(origin + pathname);
  if (request.mode === 'navigate' && !isHome) return; // the documentation, if it lies in a folder below
  const address = isHome ? new URL('index.html', HOME).href : request.url;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      const found = await cache.match(address);
      if (found) return found;
      const answer = await fetch(request);
      if (answer.ok && request.url.startsWith(`${HOME}engine/`)) await cache.put(address, answer.clone()); // older rules
      return answer;
    })(),
  );
});
