import { spawn } from 'node:child_process'
import { lowerProcess } from '../base/lower-priority.ts'

/** What a program may take before it is ended. */
export interface Bounds {
  /** Of waiting. */
  ms: number
  /** Of processor time. */
  seconds: number
  memoryMb: number
  /** Of one file that it writes. */
  fileMb: number
}

interface Run {
  program: string
  parameters: readonly string[]
  environment: NodeJS.ProcessEnv
  folder: string
}

/** Sets the limits of the process and becomes the program. macOS does not know all of them. */
const limited = 'ulimit -c 0; ulimit -v "$1" 2>/dev/null; ulimit -t "$2"; ulimit -f "$3"; shift 3; exec "$@"'

/** A program that did not end well. */
export class ProgramFailed extends Error {
  readonly tookTooLong: boolean

  constructor(reason: string, tookTooLong = false) {
    super(reason)
    this.tookTooLong = tookTooLong
  }
}

/**
 * Runs a program in a process group of its own, without the environment of this process; what is left of the group when it
 * ends is killed. Nothing that it prints is kept, for it may quote the document.
 * @throws {ProgramFailed} when it cannot start, fails or takes too long
 */
export function runBounded({ program, parameters, environment, folder }: Run, bounds: Bounds): Promise<void> {
  // `ulimit` counts memory in units of 1024 bytes and files in those of 512.
  const limits = [bounds.memoryMb * 1024, bounds.seconds, bounds.fileMb * 2048].map(String)
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', limited, 'sh', ...limits, program, ...parameters], {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: 'ignore',
    })
    lowerProcess(child.pid)
    const killGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All of the group have ended.
      }
    }
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      killGroup()
    }, bounds.ms)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new ProgramFailed(error.message))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      killGroup()
      if (code === 0 && !isLate) resolve()
      else reject(new ProgramFailed(isLate ? 'It took too long.' : `It ended with ${signal ?? code}.`, isLate))
    })
  })
}
