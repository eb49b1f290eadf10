import type { Job } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { providerName, providersQuery } from '../../../api/overview.ts'
import { CallDrawing } from '../../../ui/fax/call-drawing.tsx'
import { shortTime, Time } from '../../../ui/time.tsx'
import { wordsFor } from '../../../ui/words/check-words.ts'
import styles from './attempts.module.css'
import { toneOf, withHour } from './timeline-words.ts'
import timelineStyles from './timeline.module.css'

interface Props {
  attempts: Job['attempts']
  /** The test line made them: nothing was sent. */
  test: boolean
}

/** Every call made for a fax: when, by which provider, how it ended. */
export function Attempts({ attempts, test }: Props) {
  const { data: providers } = useQuery(providersQuery)
  const delivered = test ? 'Test passed. Nothing was sent.' : 'Delivered'
  return (
    <table className={styles.attempts} aria-label="Attempts">
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Started</th>
          <th scope="col">Outcome</th>
          <th scope="col">Pages</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <Fragment key={attempt.number}>
            <tr>
              <td>{attempt.number}</td>
              <td className={styles.began}>
                <Time at={attempt.started_at} seconds />
              </td>
              <td>
                {attempt.sentence ??
                  (attempt.kind && wordsFor(attempt.kind)) ??
                  (attempt.ended_at ? delivered : 'In progress')}
                <span className={styles.provider}>
                  {providerName(attempt.provider, providers)}
                  {attempt.provider_id && (
                    <>
                      {' · '}
                      <code>{attempt.provider_id}</code>
                    </>
                  )}
                </span>
              </td>
              <td>{(test ? null : attempt.pages_confirmed) ?? '—'}</td>
            </tr>
            {attempt.call && (
              <tr className={styles.call}>
                <td colSpan={4}>
                  <CallDrawing call={attempt.call} name={`Call of attempt ${attempt.number}`} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

/** What happened to a fax, in plain words and in order. */
export function Timeline({ entries }: { entries: Job['timeline'] }) {
  return (
    <ol className={timelineStyles.timeline} aria-label="Timeline">
      {entries.map(({ at, event, sentence, until }) => (
        <li key={`${at} ${event} ${sentence}`} data-tone={toneOf(event)}>
          <span>{withHour(sentence, until ? shortTime(until) : undefined)}</span>
          <span className={timelineStyles.at}>
            <Time at={at} seconds />
          </span>
        </li>
      ))}
    </ol>
  )
}
