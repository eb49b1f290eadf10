// Prints by how many bytes the memory of a process grows at most while it makes fax pages of a PDF.
// Run by bench/documents.ts: node bench/documents/peak-memory.ts letter.pdf fax.tif
import { createDocuments } from '../../packages/documents/src/index.ts'
import { fineLetter } from '../../packages/documents/src/testing/samples.ts'

const [pdf = '', tiff = ''] = process.argv.slice(2)
const before = process.memoryUsage().rss
const documents = createDocuments()
await documents.toTiff({ path: pdf }, tiff, fineLetter)
console.log(process.resourceUsage().maxRSS * 1024 - before)
await documents.close()
