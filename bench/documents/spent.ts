import { readFileSync } from 'node:fs'
import { median } from '../figures.ts'

/** Wall and CPU time in milliseconds. */
export interface Spent {
  wall: number
  cpu: number
}

/** How often something is measured: `usual`, unless `BENCH_RUNS` asks for fewer rounds to see that the bench works. */
export function roundsOr(usual: number): number {
  const asked = Number(process.env['BENCH_RUNS'])
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, usual) : usual
}

/** Does something and says what this process and those that it starts for it take. */
async function spend(work: () => unknown): Promise<Spent> {
  const [own, started] = [process.cpuUsage(), performance.now()]
  const children = childrenCpu()
  await work()
  const wall = performance.now() - started
  const { user, system } = process.cpuUsage(own)
  return { wall, cpu: (user + system) / 1000 + childrenCpu() - children }
}

/**
 * Does several things in turn, again and again: what each took in each of the last `times` rounds. Nothing is done for
 * those that are undefined.
 */
export async function takeTurns(
  works: readonly ((() => unknown) | undefined)[],
  times: number,
  before: number,
): Promise<Spent[][]> {
  const spent: Spent[][] = works.map(() => [])
  for (let round = -before; round < times; round++) {
    for (const [at, work] of works.entries()) {
      const taken = work && (await spend(work))
      if (taken && round >= 0) spent[at]?.push(taken)
    }
  }
  return spent
}

/** CPU time of the processes that this one started and that have ended, as proc(5) has it; 0 where there is no /proc. */
function childrenCpu(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** Medians, the CPU time in brackets: "46 (83)". */
export function inWords(spent: readonly Spent[]): string {
  if (spent.length === 0) return '–'
  const of = (which: keyof Spent) => {
    const value = medianOf(spent, which)
    return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
  }
  return `${of('wall')} (${of('cpu')})`
}

export function medianOf(spent: readonly Spent[], of: keyof Spent): number {
  return median(spent.map((each) => each[of]))
}
