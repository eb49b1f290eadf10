import { BaseSequencer } from 'vitest/node'

/**
 * The files that take longest, in this order. They begin first, so that no core is idle while the last of them goes
 * on alone; a fresh clone remembers no times to tell them by.
 */
const longest = [
  'e2e/access.e2e.test.ts',
  'e2e/crash/mixed.e2e.test.ts',
  'e2e/command-line.e2e.test.ts',
  'e2e/clouds.e2e.test.ts',
  'e2e/crash/crash.e2e.test.ts',
  'e2e/demo.e2e.test.ts',
  'packages/documents/src/intake.test.ts',
  'apps/gateway/src/storage/s3.test.ts',
  'apps/gateway/src/main.test.ts',
  'apps/console/src/testing/error-walk/error-walk.test.tsx',
]

const rankOf = ({ moduleId }) => {
  const rank = longest.findIndex((name) => moduleId.endsWith(name))
  return rank === -1 ? longest.length : rank
}

/** What waits for browsers and processes first: many short files are left to fill both cores. Calls have a turn of their own. */
const projects = ['e2e', 'console', 'node', 'telephony']

/**
 * Orders the files: project after project, so that files that share a process follow each other; in each of them those
 * that take longest, then the others as vitest itself does.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const ofProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return projects.flatMap((name) => (ofProject.get(name) ?? []).sort((one, other) => rankOf(one) - rankOf(other)))
  }
}
