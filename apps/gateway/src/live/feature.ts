import type { GatewayContext } from '../context.ts'
import type { Feature } from '../feature.ts'
import { createChanges } from './changes.ts'
import { serveLive } from './routes.ts'

/** Tells consoles what has changed. */
export const createLive = ({ database, trail }: GatewayContext) =>
  ({
    name: 'live',
    serve: ({ app, guards }) => serveLive(app, guards, createChanges({ database, trail })),
  }) satisfies Feature
