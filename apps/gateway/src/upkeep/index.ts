export { backUp } from './backup.ts'
export { UpkeepProblem } from './copy.ts'
export { restore } from './restore.ts'
