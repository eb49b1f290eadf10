// Prints how many of several bombs were drawn, the codes of those that were refused, and by how many megabytes the
// memory of the process grew at most.
// Run: node packages/documents/src/testing/bombs-at-once.ts 4 128 256 'nested forms'
import { readFileSync } from 'node:fs'
import { createDocuments, DocumentProblem } from '../index.ts'
import { defaultLimits } from '../base/limits.ts'
import { bombs } from './bombs.ts'
import { fineLetter } from './samples.ts'

const [many = 4, usual = 128, large = 256] = process.argv.slice(2, 5).map(Number)
const [, make = bombs['nested forms']] = Object.entries(bombs).find(([name]) => name === process.argv[5]) ?? []
const megabytes = (name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
// What takes longest has all its memory within the first seconds.
const limits = { ...defaultLimits, seconds: process.env.FAXDECK_LONG === undefined ? 4 : 20 }
const documents = createDocuments({ threads: 2, memory: { usual, large }, limits })
const bomb = make()
const before = megabytes('VmRSS')
const ended = await Promise.allSettled(Array.from({ length: many }, () => documents.page(bomb, 1, fineLetter)))
const drawn = ended.filter(({ status }) => status === 'fulfilled').length
const codes = ended.flatMap((end) => {
  if (end.status === 'fulfilled') return []
  return end.reason instanceof DocumentProblem ? end.reason.code : String(end.reason)
})
process.stdout.write(JSON.stringify({ drawn, codes, grown: Math.round(megabytes('VmHWM') - before) }))
await documents.close()
