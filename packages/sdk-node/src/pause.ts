/** Resolves after this many milliseconds. @throws the reason of the signal when it is aborted before */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  let wake = () => {}
  const woken = new Promise<void>((resolve) => (wake = resolve))
  const timer = setTimeout(wake, milliseconds)
  signal?.addEventListener('abort', wake, { once: true })
  await woken
  clearTimeout(timer)
  signal?.removeEventListener('abort', wake)
  signal?.throwIfAborted()
}
