import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { base, bundle } from './vite/bundle.ts'
import { contractCalls } from './vite/contract-calls.ts'
import { narrowFont } from './vite/narrow-font.ts'
import { precompress } from './vite/precompress.ts'
import { preload } from './vite/preload.ts'

const { FAXDECK_GATEWAY: gateway = 'http://127.0.0.1:8080' } = loadEnv('', import.meta.dirname, 'FAXDECK_')
const calls = '^/(admin|fax|inbound|plugins|plugin-registry|health|metrics)(/|\\?|$)'
/** The gateway answers pages of its own origin only. */
const proxy = { [calls]: { target: gateway, changeOrigin: true, headers: { origin: gateway } } }

export default defineConfig(({ command }) => ({
  // Built, it loads what it needs from beside itself, under whatever path a proxy shows it.
  base: command === 'build' ? './' : base,
  plugins: [react(), contractCalls(), narrowFont(), preload(), precompress()],
  build: bundle,
  server: { proxy },
  preview: { proxy },
}))
