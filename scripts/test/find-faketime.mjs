import { existsSync } from 'node:fs'

const folders = ['/usr/lib/x86_64-linux-gnu/faketime', '/usr/lib/aarch64-linux-gnu/faketime', '/usr/local/lib/faketime']

/**
 * The library that sets the clock of one process, and of nobody else; a package of the system brings it.
 * @returns {string | undefined}
 */
export const findFaketime = () => folders.map((folder) => `${folder}/libfaketimeMT.so.1`).find(existsSync)
