import type { Provider } from '@faxdeck/provider-kit'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { createIntake } from './intake.ts'
import { mountCallbacks } from './mount.ts'
import { cleanScratch } from './clean-scratch.ts'

/** Takes what providers report. @param providers those whose addresses are served */
export const createCallbacks = (context: GatewayContext, providers: readonly Provider[]) =>
  ({
    name: 'callbacks',
    serve: ({ app, guards }) => mountCallbacks(app, createIntake(context, providers, guards)),
    tidy: () => cleanScratch(context.directory),
  }) satisfies Feature
