import { type ReactNode, useState } from 'react'
import { providerName } from '../../../api/overview.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { IconAlert, IconCheck, IconInfo, IconX } from '../../../ui/control/icons.ts'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import { checkWords } from '../../../ui/words/check-words.ts'
import type { Plan, ProviderEntry, Registry } from '../plan.ts'
import { bodyOf, validate, type Validation } from '../queries.ts'
import styles from '../setup.module.css'

/** Asks the real providers; what they said counts as long as nothing else is entered. */
export function useValidation(plan: Plan, providers: readonly ProviderEntry[]) {
  const given = JSON.stringify([providers.map(({ id }) => id), bodyOf(plan)])
  const [said, setSaid] = useState<{ given: string; results: Validation[] }>()
  const ask = useAction(
    (tried: string) =>
      Promise.all(providers.map(({ id }) => validate(plan, id))).then((results) => ({ given: tried, results })),
    { onDone: setSaid },
  )
  const isStale = said !== undefined && said.given !== given
  return {
    run: () => ask.run(given),
    busy: ask.busy,
    error: ask.error,
    results: isStale ? undefined : said?.results,
    isStale,
  }
}
type ValidationState = ReturnType<typeof useValidation>

export function ValidateButton({ validation, children }: { validation: ValidationState; children: ReactNode }) {
  return (
    <Button busy={validation.busy} onClick={validation.run}>
      {children}
    </Button>
  )
}

export function ValidationOutcome({ validation, registry }: { validation: ValidationState; registry: Registry }) {
  const { error, results, isStale, busy } = validation
  return (
    <>
      {error && <ErrorNotice error={error} />}
      {isStale && !busy && <p className={styles.quiet}>Values have changed since the last check. Validate again.</p>}
      {results && <CheckResults results={results} registry={registry} />}
    </>
  )
}

type Verdict = 'passed' | 'failed' | 'untried'

/** What a check that could not be tried lacks is what another one says. */
function verdictOf({ checks, findings }: Validation, check: string): Verdict {
  if (checks[check]) return 'passed'
  return findings.find((each) => each.check === check)?.severity === 'info' ? 'untried' : 'failed'
}

const chips = {
  passed: { tone: 'ok', icon: IconCheck, word: 'Pass' },
  failed: { tone: 'bad', icon: IconX, word: 'Fail' },
  untried: { tone: 'plain', icon: IconInfo, word: 'Not tested' },
} as const

/** Whether no check of any provider failed. */
export const allPassed = (results: readonly Validation[]) =>
  results.every((result) => Object.keys(result.checks).every((check) => verdictOf(result, check) !== 'failed'))

/** What the checks found, each with Pass or Fail and what to do about it. */
export function CheckResults({ results, registry }: { results: readonly Validation[]; registry: Registry }) {
  const passed = allPassed(results)
  return (
    <div className={styles.results}>
      <div role="status">
        <Chip tone={passed ? 'ok' : 'warn'} icon={passed ? IconCheck : IconAlert}>
          {passed ? 'All checks passed' : 'Review checks'}
        </Chip>
      </div>
      {results.map((result) => (
        <Checks
          key={result.backend}
          result={result}
          name={providerName(result.backend, { registry })}
          isNamed={results.length > 1}
        />
      ))}
    </div>
  )
}

function Checks({ result, name, isNamed }: { result: Validation; name: string; isNamed: boolean }) {
  return (
    <div>
      {isNamed && <h4>{name}</h4>}
      <ul className={styles.checks} aria-label={`Checks of ${name}`}>
        {Object.keys(result.checks).map((check) => {
          const { tone, icon, word } = chips[verdictOf(result, check)]
          const finding = result.findings.find((each) => each.check === check)
          const words = [finding?.sentence, finding?.detail].filter(Boolean).join(' ')
          return (
            <li key={check}>
              <Chip tone={tone} icon={icon}>
                {word}
              </Chip>
              <span className={styles.words}>
                {checkWords(check, name)}
                {words && <span className={styles.quiet}>{words}</span>}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
