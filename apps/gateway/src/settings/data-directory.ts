import { accessSync, constants, mkdirSync } from 'node:fs'
import { StartProblem } from './start-problem.ts'

/** Makes the data directory, readable by its owner only. @throws {StartProblem} when it cannot be made or written */
export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new StartProblem(
      `The data directory ${directory} cannot be written (${code}). Make it writable for this user, or set FAX_DATA_DIR to another folder.`,
    )
  }
}
