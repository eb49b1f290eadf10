type Preparation = () => Promise<void>

const preparations = new Set<Preparation>()

/**
 * Work to do before the page is printed: pictures that have not come into view yet, rows that are not drawn.
 * @returns a function that takes it back
 */
export function beforePrinting(prepare: Preparation): () => void {
  preparations.add(prepare)
  return () => preparations.delete(prepare)
}

/** Whether anything is to be done before printing. */
export const printsPrepared = (): boolean => preparations.size > 0

/** What was prepared is drawn by then. */
const drawnMs = 50

let preparing = false

/** Prints the page once everything on it is there. What fails is printed without. */
export async function printPage(): Promise<void> {
  if (preparing) return
  preparing = true
  try {
    await Promise.allSettled([...preparations].map((prepare) => prepare()))
    await new Promise((resolve) => setTimeout(resolve, drawnMs))
    await Promise.allSettled([...document.images].map((image) => image.decode()))
  } finally {
    preparing = false
  }
  print()
}
