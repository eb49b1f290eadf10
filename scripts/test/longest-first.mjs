import { BaseSequencer } from 'vitest/node'

/**
 * The files that take longest, in this order. They begin first, so that no core is idle while the last of them goes
 * on alone; a fresh clone remembers no times to sort by.
 */
const longest = [
  'e2e/access.e2e.test.ts',
  'e2e/crash/pair.e2e.test.ts',
  'e2e/command-line.e2e.test.ts',
  'e2e/clouds.e2e.test.ts',
  'e2e/crash/crash.e2e.test.ts',
  'packages/documents/src/base/memory.test.ts',
  'packages/documents/src/intake.test.ts',
  'packages/documents/src/hostile.test.ts',
  'apps/gateway/src/base/storage/s3.test.ts',
  'apps/gateway/src/main.test.ts',
  'apps/console/src/testing/error-walk/error-walk.test.tsx',
]

/** What waits for browsers and processes first: many short files are left to fill both cores. */
const projects = ['e2e', 'console', 'node']

const rankOf = (one, known) => {
  const rank = known.findIndex((name) => one.endsWith(name))
  return rank === -1 ? known.length : rank
}

const compare = (one, other) =>
  rankOf(one.project.name, projects) - rankOf(other.project.name, projects) ||
  rankOf(one.moduleId, longest) - rankOf(other.moduleId, longest)

/**
 * Orders the files: project after project, so that files that share a process follow each other; in each of them those
 * that take longest, then the others as vitest itself does.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    return (await super.sort(files)).sort(compare)
  }
}
