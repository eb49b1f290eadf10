export interface Deadline {
  signal: AbortSignal
  /** The time counts from now. */
  renew: () => void
  /** Nothing of it stays: a timer that outlives its request is garbage that lives for a minute. */
  end: () => void
}

/** A signal that aborts after a while, as AbortSignal.timeout does, or with the one that is given. */
export function deadline(ms: number, given?: AbortSignal | null): Deadline {
  const abort = new AbortController()
  const follow = () => abort.abort(given?.reason)
  const late = () => abort.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const timer = setTimeout(late, ms).unref()
  if (given?.aborted) follow()
  else given?.addEventListener('abort', follow, { once: true })
  return {
    signal: abort.signal,
    renew: () => void timer.refresh(),
    end: () => {
      clearTimeout(timer)
      given?.removeEventListener('abort', follow)
    },
  }
}
