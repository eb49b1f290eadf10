/** What a form needs of the settings, and nothing that a browser lacks. */
export * from './answer.ts'
export * from './cross-checks.ts'
export * from './describe.ts'
export * from './layers.ts'
export * from './patch.ts'
export * from './row.ts'
export * from './rows.ts'
export * from './value.ts'
