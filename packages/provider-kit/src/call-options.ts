/** How one call is to be made, where that differs from the settings of the line. */
export interface CallOptions {
  /** Audio alone, or T.38 asked for by us, with audio to fall back to. */
  transport?: 'audio' | 't38'
  /** The highest speed, in bits per second. */
  speed?: number
  ecm?: boolean
  /** Audio is heard through a jitter buffer. */
  buffered?: true
}

/** What of a call a line can be asked to change, and where its settings stand. */
export interface CallTuning {
  /** Speeds that a call can be held to, the fastest first. The first is no limit. */
  speeds: readonly number[]
  /** What the settings say. */
  ecm: boolean
  /** Those that the settings allow. */
  transports: readonly NonNullable<CallOptions['transport']>[]
  /** Whether audio can be heard through a jitter buffer. */
  hasBuffer: boolean
}
