import type { FakeCalls } from '../fake-calls.ts'
import type { World } from '../world.ts'

export function lineCalls(world: World) {
  return {
    getCallReport: () => world.lines.report,
    getLines: () => world.lines.lines,
    listCallNumbers: () => world.lines.numbers,
    forgetCallNumber: ({ params: { id } }) => {
      world.lines.numbers = world.lines.numbers.filter((number) => number.id !== id)
    },
    forgetCallNumbers: () => {
      world.lines.numbers = []
    },
  } satisfies FakeCalls
}
