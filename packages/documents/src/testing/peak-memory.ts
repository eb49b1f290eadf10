// Prints by how many bytes the memory of a process grows at most while it makes fax pages of a PDF, on two threads.
// Run: node packages/documents/src/testing/peak-memory.ts letter.pdf fax.tif
import { readFileSync } from 'node:fs'
import { createDocuments } from '../index.ts'
import { fineLetter } from './samples.ts'

const [pdf = '', tiff = ''] = process.argv.slice(2)
const before = process.memoryUsage().rss
const documents = createDocuments({ threads: 2 })
await documents.toTiff({ path: pdf }, tiff, fineLetter)
process.stdout.write(`${peak() - before}\n`)
await documents.close()

/** Bytes. What `getrusage` tells on Linux is at least the peak of the process that started this one: exec keeps it. */
function peak(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
