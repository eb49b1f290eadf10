import type { Finding } from '@faxdeck/contract'
import type { Finding as Seen } from '@faxdeck/provider-kit'
import type { Fact, Probe } from '../../base/checks.ts'

/** What a probe found, and how `checks` shows it. */
export interface Outcome {
  finding: Finding
  shown: Fact
}

export interface ProbeLog {
  warn: (facts: object, message: string) => void
}

const longestMs = 5000
/** A probe that heeds its signal reports by itself what did not answer. */
const graceMs = 500

/** The name alone: the message of a foreign error may repeat a credential. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown')

/** A probe that came to no verdict claims no more than that, unless silence is what it looks for. */
const noVerdict = ({ holdsInSilence }: Probe, detail: string, hint: string): Seen => ({
  passed: false,
  detail,
  ...(!holdsInSilence && { instead: { hint } }),
})
const lateHint =
  'This check did not finish in time, so its result is unknown. Check the load on this machine, then run diagnostics again.'
const brokenHint =
  'This check failed unexpectedly, so its result is unknown. Look for "A check failed unexpectedly" in the log of the gateway.'

/** Runs a probe, for five seconds at most: it ends in time even when what it asks does not. */
async function lookInTime(probe: Probe, log: ProbeLog): Promise<Seen> {
  const { name, run } = probe
  const limit = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<Seen>()
  const warning = setTimeout(() => limit.abort(), longestMs - graceMs)
  const end = setTimeout(() => {
    resolve(noVerdict(probe, `No response within ${longestMs / 1000} seconds.`, lateHint))
  }, longestMs)
  const look = async () => run(limit.signal)
  const looking = look().catch((error: unknown): Seen => {
    log.warn({ check: name, error: nameOf(error) }, 'A check failed unexpectedly.')
    return noVerdict(probe, `The check failed unexpectedly (${nameOf(error)}).`, brokenHint)
  })
  try {
    return await Promise.race([late, looking])
  } finally {
    clearTimeout(warning)
    clearTimeout(end)
  }
}

/** Runs one probe of a group. Never throws. */
export async function runProbe(group: string, probe: Probe, log: ProbeLog): Promise<Outcome> {
  const { passed, detail = null, untried: skipped, instead } = await lookInTime(probe, log)
  const { hint, setting = probe.setting, severity = probe.severity } = instead ?? probe
  const finding: Finding = {
    group,
    check: probe.name,
    passed,
    severity: skipped ? 'info' : passed ? probe.severity : severity,
    sentence: passed ? null : (skipped ?? hint),
    detail,
    setting: setting ?? null,
  }
  return { finding, shown: probe.severity === 'info' ? (detail ?? passed) : passed }
}
