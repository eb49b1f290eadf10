import { defineConfig } from 'vitest/config'
import { ClosingLineReporter } from './scripts/test/closing-line.mjs'
import { LongestFirst } from './scripts/test/longest-first.mjs'

const setupFiles = ['./scripts/vitest/fail-on-console-error.ts', './scripts/vitest/patience.ts']
const realCalls = 'e2e/telephony/*.e2e.test.ts'
const isLong = process.env.FAXDECK_LONG !== undefined
// A busy machine makes a test slow, not wrong: these limits end a test that hangs, and measure nothing.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

export default defineConfig({
  test: {
    // Twice the cores of a small machine: tests wait for pauses and other processes more than they work.
    maxWorkers: 4,
    // Native libraries in processes of their own: as fast here as threads, and one that dies takes no other file along.
    pool: 'forks',
    // As the document workers do for themselves: reading TypeScript is WebAssembly too (decision 71).
    execArgv: ['--no-wasm-code-gc'],
    sequence: { sequencer: LongestFirst },
    maxConcurrency: 3,
    ...patience,
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'packages/**/*.test.ts',
            'apps/gateway/**/*.test.ts',
            'apps/cli/**/*.test.ts',
            'apps/console/vite/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          // A few processes for all of them: reading the gateway anew took longer than most files do.
          isolate: false,
          // Node reads the sources itself, as it does where Faxdeck runs.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          globalSetup: ['./apps/gateway/src/testing/postgres-broker.ts'],
          setupFiles,
        },
      },
      {
        extends: './apps/console/vite.config.ts',
        test: {
          name: 'console',
          include: ['apps/console/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          // One page for all files of a process: making it, and reading React and the screens anew, took two seconds a file.
          isolate: false,
          pool: 'forks',
          maxWorkers: 4,
          ...patience,
          setupFiles: [...setupFiles, './apps/console/src/testing/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: isLong ? [realCalls] : [realCalls, 'e2e/long/**'],
          // A few processes for all of them: each would read the client and the browser's driver anew.
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'telephony',
          include: [realCalls],
          experimental: { viteModuleRunner: false, nodeLoader: false },
          setupFiles: ['./e2e/telephony/wait-for-asterisk.ts', ...setupFiles],
          // A call goes on in real time: nothing runs beside it but other calls, and beside the campaigns nothing at all.
          sequence: { groupOrder: 1 },
          fileParallelism: !isLong,
        },
      },
    ],
  },
})
