import type { Finding } from '@faxdeck/contract'
import type { Finding as Seen } from '@faxdeck/provider-kit'

/** One look at something the gateway depends on. */
export interface Probe {
  /** Name on the wire. */
  name: string
  /** `info` is never an issue; what was seen stands on the wire in place of a verdict. */
  severity: Finding['severity']
  /** What is wrong when it fails, and what to do: one sentence. */
  hint: string
  /** The setting to go to. */
  setting?: string
  /** The hint holds as well when no answer comes, or none that was foreseen. */
  holdsInSilence?: true
  run: (signal: AbortSignal) => Promise<Seen> | Seen
}

/** A finding that is known without a check. */
export type Fact = string | number | boolean | null

/** The probes of one part of the gateway. */
export interface Group {
  name: string
  facts?: Readonly<Record<string, Fact>>
  probes: readonly Probe[]
}
