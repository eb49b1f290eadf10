export { backUp } from './backup.ts'
export { UpkeepProblem } from './copy.ts'
export { moveToPostgres } from './migrate.ts'
export { restore } from './restore.ts'
