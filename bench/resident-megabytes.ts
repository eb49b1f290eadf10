import { readFileSync } from 'node:fs'

/** Resident memory of a process in MB (proc(5), VmRSS). */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (!kilobytes) throw new Error('This system does not tell how much memory a process holds.')
  return Number(kilobytes) / 1024
}
