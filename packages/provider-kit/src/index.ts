export * from './provider.ts'
