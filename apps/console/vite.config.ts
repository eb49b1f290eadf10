import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { base, bundle } from './vite/bundle.ts'
import { contractCalls } from './vite/contract-calls.ts'
import { precompress } from './vite/precompress.ts'
import { inlineEarly } from './vite/inline-early.ts'
import { preload } from './vite/preload.ts'

const gateway = 'http://127.0.0.1:8080'
const calls = '^/(admin|fax|inbound|plugins|plugin-registry|health|metrics)(/|\\?|$)'

export default defineConfig({
  base,
  plugins: [react(), contractCalls(), inlineEarly(), preload(), precompress()],
  build: bundle,
  server: { proxy: { [calls]: gateway } },
  preview: { proxy: { [calls]: gateway } },
})
