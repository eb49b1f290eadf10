import { useState, type ReactNode } from 'react'
import { providerName } from '../../api/providers.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { wordsFor } from '../../ui/check-words.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconAlert, IconCheck, IconX } from '../../ui/icons.ts'
import { Chip } from '../../ui/status-chip.tsx'
import type { Plan, ProviderEntry, Registry } from './plan.ts'
import { bodyOf, validate, type Validation } from './queries.ts'
import styles from './setup.module.css'

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

interface OutcomeProps {
  validation: ValidationState
  registry: Registry
}

export function ValidationOutcome({ validation, registry }: OutcomeProps) {
  const { error, results, isStale, busy } = validation
  return (
    <>
      {error && <ErrorNotice error={error} />}
      {isStale && !busy && <p className={styles.quiet}>What is entered has changed since it was last checked.</p>}
      {results && <CheckResults results={results} registry={registry} />}
    </>
  )
}

/** Whether every check of every provider passed. */
export const allPassed = (results: readonly Validation[]) =>
  results.every(({ checks }) => Object.values(checks).every(Boolean))

interface ResultsProps {
  results: readonly Validation[]
  registry: Registry
}

/** What the checks found, each with Pass or Fail and what to do about it. */
export function CheckResults({ results, registry }: ResultsProps) {
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
        {Object.entries(result.checks).map(([check, passed]) => {
          const finding = result.findings.find((each) => each.check === check)
          const words = [finding?.sentence, finding?.detail].filter(Boolean).join(' ')
          return (
            <li key={check}>
              <Chip tone={passed ? 'ok' : 'bad'} icon={passed ? IconCheck : IconX}>
                {passed ? 'Pass' : 'Fail'}
              </Chip>
              <span className={styles.words}>
                {wordsFor(check)}
                {words && <span className={styles.quiet}>{words}</span>}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
