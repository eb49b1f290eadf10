import { z } from 'zod'
import { instant } from './shapes.ts'

/** What a telephone engine reported of a call. What it did not report is absent. */
export const callRecord = z.object({
  /** How the fax traveled: as sound, or as data (T.38). */
  transport: z.enum(['audio', 't38']).optional(),
  /** Of the sound, as the engine spells it. */
  codec: z.string().optional(),
  /** What the other machine calls itself (CSID or TSI). Anybody can write anything there. */
  station: z.string().optional(),
  /** Whether errors were corrected (ECM). */
  ecm: z.boolean().optional(),
  /** The speed that was agreed on, and each that took its place, in bits per second. */
  speeds: z
    .array(
      z.object({
        bps: z.number().int(),
        /** Pages that were confirmed when it was first seen; absent if the engine reported it only at the end. */
        after_page: z.number().int().optional(),
      }),
    )
    .optional(),
  /** Damaged rows of a received fax. */
  bad_rows: z.number().int().optional(),
  /** Confirmed ones. */
  pages: z.number().int().optional(),
  /** Why the call ended (ITU-T Q.850). */
  cause: z.number().int().optional(),
  /** The last answer of SIP: `486 Busy Here`. */
  sip: z.string().optional(),
  /** Of the sound that came in. */
  jitter_ms: z.number().optional(),
  /** Packets of sound that should have come in and did not. */
  lost_packets: z.number().int().optional(),
  /** How far the call had come, and when: `agreed` ends phase B of T.30, `page` is the confirmation of one. */
  steps: z
    .array(
      z.object({
        step: z.enum(['dialed', 'answered', 'agreed', 'page', 'ended']),
        at: instant,
        page: z.number().int().optional(),
      }),
    )
    .optional(),
})
export type CallRecord = z.infer<typeof callRecord>
