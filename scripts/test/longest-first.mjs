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

/** Orders the files of each project: those that take longest, then the others as vitest itself does. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...projects.values()].flatMap((own) => own.sort((one, other) => rankOf(one) - rankOf(other)))
  }
}
