import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @param {string} program @returns {boolean} whether it is installed, in PATH or where a system keeps its daemons */
export function has(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
