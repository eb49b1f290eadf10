import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** A component whose files are fetched when it is first needed, or ahead of time. */
export interface LazyPart<Props> {
  Part: ComponentType<Props & { fallback?: ReactNode }>
  /** Fetches the files now. Should that fail, the part tries again and shows the fault when it is needed. */
  preload: () => Promise<void>
}

/**
 * Like React's `lazy` with `Suspense`, but a part that is already here is drawn at once, and one that has just come is
 * not held back for the 300 ms that React gives a fallback it has shown.
 * @param fetchPart imports the files
 */
export function lazyPart<Props extends object>(fetchPart: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let present: ComponentType<Props> | undefined
  const bring = async () => {
    present ??= await fetchPart()
  }

  function Part({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    const [Shown, setShown] = useState<ComponentType<Props> | undefined>(() => present)
    const [fault, setFault] = useState<Error>()
    useEffect(() => {
      if (Shown) return
      bring().then(() => setShown(() => present), setFault)
    }, [Shown])
    // Reaches the boundary around the part, as a fault of the part itself would.
    if (fault) throw fault
    return Shown ? <Shown {...(props as unknown as Props)} /> : fallback
  }
  return { Part, preload: () => bring().catch(() => undefined) }
}

/** A part that comes with the shell, because most visits begin there. */
export function presentPart<Props extends object>(Part: ComponentType<Props>): LazyPart<Props> {
  return { Part, preload: () => Promise.resolve() }
}

const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 100)
  })

/**
 * Fetches what may be wanted next, one part after another while the browser has nothing better to do: what a person
 * asks for meanwhile does not wait behind it.
 * @returns a function that stops it
 */
export function preloadWhenIdle(parts: readonly Pick<LazyPart<object>, 'preload'>[]): () => void {
  let stopped = false
  const run = async () => {
    for (const part of parts) {
      await idle()
      if (stopped) return
      await part.preload()
    }
  }
  void run()
  return () => {
    stopped = true
  }
}
