import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// milsymbol's package only opens the door to everything it can draw; the parts a wargame needs are a third of it.
const milsymbol = decodeURIComponent(new URL('./node_modules/milsymbol/index.mjs', import.meta.url).pathname);

// Relative addresses: a static site may lie in any folder of its host. The server makes them absolute in index.html.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  resolve: { alias: { 'milsymbol-parts': milsymbol } },
  build: { outDir: 'dist', target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 700 },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8787', ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
