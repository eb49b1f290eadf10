import type { Feature } from '../feature.ts'
import { createLibrary } from './library.ts'
import { serveDocs } from './routes.ts'

/** The documentation of this version. @param root the checkout it lies in */
export const createDocs = (root: string) =>
  ({
    name: 'docs',
    serve: ({ app, guards }) =>
      serveDocs(app, (request) => guards.checkLocal(guards.originOf(request)), createLibrary(root), root),
  }) satisfies Feature
