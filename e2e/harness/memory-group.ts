import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group with a limit on memory, which the kernel enforces: a real one, of either version. */
export interface MemoryGroup {
  /** Puts a process in; what it starts belongs there as well. */
  take: (pid: number) => void
  /** Processes that the kernel has killed for want of memory. */
  kills: () => number
  /** The most megabytes that were in use at once, with the cache of files. */
  peak: () => number
  remove: () => void
}

const first = '/sys/fs/cgroup/memory'
const second = '/sys/fs/cgroup'
const isSecond = existsSync(join(second, 'cgroup.controllers'))
const root = isSecond ? second : first

/** Whether this process may make control groups. */
export function mayGroup(): boolean {
  try {
    accessSync(root, constants.W_OK)
    return !isSecond || readFileSync(join(root, 'cgroup.subtree_control'), 'utf8').includes('memory')
  } catch {
    return false
  }
}

export function memoryGroup(megabytes: number): MemoryGroup {
  const folder = join(root, `faxdeck-test-${process.pid}-${megabytes}`)
  mkdirSync(folder)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  writeFileSync(join(folder, isSecond ? 'memory.max' : 'memory.limit_in_bytes'), String(megabytes * 1024 * 1024))
  return {
    take: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    kills: () => Number(/oom_kill (\d+)/.exec(read(isSecond ? 'memory.events' : 'memory.oom_control'))?.[1]),
    peak: () => Number(read(isSecond ? 'memory.peak' : 'memory.max_usage_in_bytes')) / 1024 / 1024,
    remove: () => rmdirSync(folder),
  }
}
