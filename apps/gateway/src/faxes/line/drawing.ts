/** More pages drawn at once than there are cores help nobody. */
const mostAtOnce = 4
/** Between two documents while callers wait. */
const pressedPauseMs = 250

/** Lets documents be drawn a few at a time, and while many callers wait one after the other, with pauses between. */
export type Drawing = <T>(draw: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function createDrawing(isPressed: () => boolean): Drawing {
  let running = 0
  const waiting = new Set<() => void>()
  const callNext = () => {
    for (const start of waiting) {
      if (running >= (isPressed() ? 1 : mostAtOnce)) return
      waiting.delete(start)
      running++
      start()
    }
  }
  const end = () => {
    running--
    if (isPressed()) setTimeout(callNext, pressedPauseMs)
    else callNext()
  }
  const takeTurn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(start)
        reject(signal.reason as Error)
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(start)
      signal.addEventListener('abort', leave, { once: true })
      callNext()
    })
  return async (draw, signal) => {
    signal.throwIfAborted()
    await takeTurn(signal)
    try {
      return await draw()
    } finally {
      end()
    }
  }
}
