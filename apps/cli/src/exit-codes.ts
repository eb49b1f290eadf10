/** What the program ends with, for scripts. Documented by the guide and by `faxdeck --help`. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  /** Of `import` alone, which calls no gateway. */
  leftBehind: 3,
  forbidden: 4,
  uncertain: 5,
  underWay: 6,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What each code means, in the order of the numbers. */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed',
  2: 'invalid usage',
  3: 'the gateway cannot be reached; after an import: rows or documents were left behind',
  4: 'the key is missing, wrong or not allowed to do that',
  5: 'unknown whether a fax arrived; a person has to decide',
  6: 'still in progress when the time ran out',
}
