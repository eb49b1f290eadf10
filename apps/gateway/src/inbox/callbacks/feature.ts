import type { Provider } from '@faxdeck/provider-kit'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { createIntake } from './intake.ts'
import { mountCallbacks } from './mount.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchIn } from '../../base/settings/data-directory.ts'

/** Longer than any call takes; gateways that share a data directory leave each other's files alone. */
const passingMs = 600_000

/** Removes what calls that were cut off have left in the scratch folder of a data directory. */
async function cleanScratch(directory: string): Promise<void> {
  const folder = scratchIn(directory)
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > passingMs) await rm(path, { recursive: true, force: true })
  }
}

/** Takes what providers report. @param providers those whose addresses are served */
export const createCallbacks = (context: GatewayContext, providers: readonly Provider[]) =>
  ({
    name: 'callbacks',
    serve: ({ app, guards }) => mountCallbacks(app, createIntake(context, providers, guards)),
    tidy: () => cleanScratch(context.directory),
  }) satisfies Feature
