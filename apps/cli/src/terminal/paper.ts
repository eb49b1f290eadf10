import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Fault, usageFault } from '../fault.ts'

const largestInput = 200 * 1024 * 1024

async function standardInput(): Promise<Buffer> {
  if (process.stdin.isTTY) throw usageFault('Pipe a document into this command, or name a file.')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of process.stdin) {
    const bytes = Buffer.from(part as Uint8Array)
    size += bytes.length
    if (size > largestInput) throw new Fault('The document on standard input is larger than any gateway accepts.')
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/**
 * A document as a file of a form; `-` is standard input.
 * @throws {Fault} when there is nothing in it
 */
export async function readPaper(path: string, name?: string): Promise<File> {
  const bytes = path === '-' ? await standardInput() : await readFile(path)
  if (bytes.length === 0)
    throw new Fault(`${path === '-' ? 'Standard input' : path} is empty: there is nothing to send.`)
  return new File([new Uint8Array(bytes)], name ?? (path === '-' ? 'document' : basename(path)))
}
