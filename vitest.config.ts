import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { TallyReporter } from './scripts/test/tally.mjs'

const failOnConsoleError = './scripts/vitest/fail-on-console-error.ts'
const tallyPath = process.env.FAXDECK_TEST_TALLY
const consoleSetup = './apps/console/src/testing/setup.ts'

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Native libraries in processes of their own: as fast here as threads, and one that dies takes no other file along.
    pool: 'forks',
    // A busy machine makes a test slow, not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', ...(tallyPath ? [new TallyReporter(tallyPath)] : [])],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'packages/**/*.test.ts',
            'apps/gateway/**/*.test.ts',
            'apps/console/vite/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          setupFiles: [failOnConsoleError],
        },
      },
      {
        extends: './apps/console/vite.config.ts',
        test: {
          name: 'console',
          testTimeout: 30_000,
          include: ['apps/console/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          // Finding a control by its role in a long list takes jsdom seconds on a busy machine.
          testTimeout: 30_000,
          setupFiles: [failOnConsoleError, ...(existsSync(consoleSetup) ? [consoleSetup] : [])],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          setupFiles: [failOnConsoleError],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Browsers and gateway processes want the machine for themselves: after the other projects.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
