export * from './row.ts'
