import type { Feature } from '../../base/feature.ts'
import { createLibrary } from './library.ts'
import { serveDocs } from './routes.ts'

/**
 * The documentation of this version.
 * @param root the checkout it lies in
 * @param basePath what a proxy puts before every path; empty for nothing
 */
export const createDocs = (root: string, basePath = '') =>
  ({
    name: 'docs',
    serve: ({ app, guards }) =>
      serveDocs(app, (request) => guards.checkLocal(guards.originOf(request)), createLibrary(root), { root, basePath }),
  }) satisfies Feature
