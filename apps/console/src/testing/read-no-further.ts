import { vi } from 'vitest'

/** The end of a list never comes into view, so that it reads no more pages by itself. */
export function readNoFurther(): void {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
}
