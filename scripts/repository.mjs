import { fileURLToPath } from 'node:url'

/** Absolute path of the checkout these scripts belong to. */
export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
