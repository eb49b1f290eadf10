import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Fax modems have a clock: what comes 20 ms late on a busy machine is a gap in the tones. */
const realTime = ['chrt', '-r', '20'] as const
export const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin'

/** Whether this process may start others in real time. */
export async function mayRunInRealTime(): Promise<boolean> {
  const [chrt, ...options] = realTime
  return promisify(execFile)(chrt, [...options, 'true'], { timeout: 2000, env: { PATH: systemPath } }).then(
    () => true,
    () => false,
  )
}

/** What a command begins with that runs in real time where it may, and otherwise as usual. `chrt` becomes the program. */
export const realTimePrefix = async (): Promise<readonly string[]> => ((await mayRunInRealTime()) ? realTime : [])
