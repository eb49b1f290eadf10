/** The variables of the process, handed down from main.ts. */
export type Environment = Readonly<Record<string, string | undefined>>
