/** The path under which a server shows itself: '/sandtable' behind a proxy, mostly nothing. The server says it in the page. */
export const root = globalThis.document?.querySelector<HTMLMetaElement>('meta[name=sandtable-root]')?.content ?? '';
