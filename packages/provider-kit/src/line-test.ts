/** One thing that a test of a line looks at. The last report of a name counts. */
export interface LineTestStep {
  /** `[a-z0-9-]+` */
  name: string
  title: string
  state: 'running' | 'passed' | 'failed' | 'skipped'
  /** What was seen, as a sentence; empty while nothing was. */
  detail: string
}

/** What the gateway gives a line to test itself with. */
export interface LineTest {
  /** One page as a 1-bit TIFF. */
  tiffPath: string
  /** Whether what came back shows the page, pixel by pixel. */
  isSamePage: (tiff: Uint8Array) => Promise<boolean>
  onStep: (step: LineTestStep) => void
  signal: AbortSignal
}

export interface LineTestResult {
  passed: boolean
  /** For people: what the line can do, or what is wrong and what to try. */
  verdict: string
}
