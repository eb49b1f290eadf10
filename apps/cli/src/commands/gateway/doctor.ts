import type { Diagnostics, Finding } from '@faxdeck/contract'
import { command } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Output, Painted } from '../../terminal/output.ts'

const marks: Readonly<Record<Finding['severity'], Painted>> = {
  critical: { text: 'critical  ', style: 'red' },
  warning: { text: 'warning   ', style: 'yellow' },
  info: { text: 'note      ', style: 'dim' },
}
const order: readonly Finding['severity'][] = ['critical', 'warning', 'info']

function show({ findings, summary }: Diagnostics, out: Output): void {
  const failed = findings.filter(({ passed, sentence }) => !passed && sentence !== null)
  for (const severity of order) {
    // Several checks may meet the same fault, which is said once.
    const lines = failed
      .filter((each) => each.severity === severity)
      .map(({ sentence, detail }) => `${sentence ?? ''}${detail === null ? '' : ` (${detail})`}`)
    for (const line of new Set(lines)) out.line(marks[severity], line)
  }
  const backup = findings.find(({ check }) => check === 'backup')
  if (backup?.passed && backup.detail !== null) out.line(`Last backup: ${backup.detail}.`)
  const passed = findings.filter((each) => each.passed).length
  const rest = passed === findings.length ? '' : ', and none of the failed ones is critical'
  out.line(
    summary.healthy
      ? { text: `Healthy: ${passed} of ${findings.length} checks passed${rest}.`, style: 'green' }
      : { text: `Not healthy: ${summary.critical_issues.length} critical.`, style: 'red' },
  )
}

export const doctor = command({
  name: 'doctor',
  summary: 'Check everything the gateway depends on, and suggest fixes',
  about: 'Exits with 1 when something critical fails. Requires an administrator key.',
  examples: ['faxdeck doctor'],
  async run(_given, { client, out }) {
    out.progress('Checking everything…')
    const found = await client.runDiagnostics({})
    out.answer(found, () => show(found, out))
    return found.summary.healthy ? exitCodes.done : exitCodes.failed
  },
})
