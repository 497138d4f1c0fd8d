// The service worker of a server's pages: shows what the server pushes when it is somebody's move. It keeps nothing.
self.addEventListener('push', (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(
    (async () => {
      const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      if (tabs.some((tab) => tab.focused && tab.url.startsWith(told.url))) return; // they are looking at it
      await self.registration.showNotification(told.title ?? 'Sandtable', { body: told.body, tag: told.url, data: { url: told.url } });
    })(),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  event.waitUntil(
    (async () => {
      const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const there = tabs.find((tab) => tab.url.startsWith(url));
      await (there ? there.focus() : self.clients.openWindow(url));
    })(),
  );
});
