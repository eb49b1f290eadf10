import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { msw } from 'msw/vite'
import { defineConfig } from 'vite'
import { base, bundle } from './vite/bundle.ts'
import { contractCalls } from './vite/contract-calls.ts'
import { preload } from './vite/preload.ts'

/** The console with a gateway in memory; a folder of its own keeps it apart from what the gateway serves. */
export default defineConfig({
  mode: 'demo',
  base,
  plugins: [react(), contractCalls(), preload(), msw({ mode: 'worker-only' })],
  build: { ...bundle, outDir: fileURLToPath(new URL('../../.cache/demo', import.meta.url)), emptyOutDir: true },
})
