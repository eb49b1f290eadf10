import type { Diagnostics } from '@faxdeck/contract'

export interface Issue {
  severity: 'error' | 'warning'
  sentence: string
  /** What was seen. */
  detail: string | null
  /** The setting to go to. */
  setting: string | null
}

/** What the gateway counts as issues, and every other failed check; errors first, each once. */
export function issuesOf({ summary, findings }: Diagnostics): Issue[] {
  const failed = findings.filter(({ passed, severity }) => !passed && severity !== 'info')
  const own = (wanted: 'critical' | 'warning') =>
    failed.flatMap(({ severity, sentence }) => (severity === wanted && sentence ? [sentence] : []))
  const listed = (severity: Issue['severity'], sentences: readonly string[]): Issue[] =>
    sentences.map((sentence) => {
      const finding = failed.find((each) => each.sentence === sentence)
      return { severity, sentence, detail: finding?.detail ?? null, setting: finding?.setting ?? null }
    })
  const errors = new Set([...summary.critical_issues, ...own('critical')])
  const warnings = new Set([...summary.warnings, ...own('warning')].filter((sentence) => !errors.has(sentence)))
  return [...listed('error', [...errors]), ...listed('warning', [...warnings])]
}
