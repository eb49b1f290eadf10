/** Whether an error of the system, a library or ours has one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/**
 * For `catch` of a call that reads a file: another value where there is none.
 * @throws whatever else went wrong
 */
export const ifMissing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (hasCode(error, 'ENOENT')) return instead
    throw error
  }
