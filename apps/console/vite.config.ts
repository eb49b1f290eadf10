import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractCalls } from './vite/contract-calls.ts'
import { precompress } from './vite/precompress.ts'
import { preloadFont } from './vite/preload-font.ts'

const gateway = 'http://127.0.0.1:8080'
const calls = '^/(admin|fax|inbound|plugins|plugin-registry|health|metrics)(/|\\?|$)'

export default defineConfig({
  base: '/admin-demo/',
  plugins: [react(), contractCalls(), preloadFont(), precompress()],
  build: {
    target: 'es2023',
    // Everything is a file of our own origin, so that the content security policy needs no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // Compressing takes longer than bundling, and should.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: { proxy: { [calls]: gateway } },
  preview: { proxy: { [calls]: gateway } },
})
