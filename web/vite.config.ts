import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// milsymbol's package only opens the door to everything it can draw; the parts a wargame needs are a third of it.
const milsymbol = decodeURIComponent(new URL('./node_modules/milsymbol/index.mjs', import.meta.url).pathname);

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { 'milsymbol-parts': milsymbol } },
  build: { outDir: 'dist', target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 700 },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8787', ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
