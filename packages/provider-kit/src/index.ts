export * from './missing.ts'
export * from './provider.ts'
export * from './setting-checks.ts'
