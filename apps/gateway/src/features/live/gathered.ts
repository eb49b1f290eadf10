import type { LiveMessage, LiveSubject } from '@faxdeck/contract'

const maxIds = 50

/** What an event of the audit trail changes on a screen, by its name. */
const subjects: readonly [RegExp, readonly LiveSubject[]][] = [
  [/^job_/, ['jobs', 'health']],
  [/^broadcast_(created|paused|resumed|cancelled)$/, ['broadcasts']],
  [/^approval_/, ['approvals', 'health']],
  [/^inbound_(received|failed|fetch_failed|deleted)$/, ['inbound', 'health']],
  [/^(settings_changed|settings_undone|webhook_registered|plugin_.*)$/, ['settings', 'health']],
  [/^webhook_(created|updated|removed|rotated|stopped)$/, ['webhooks']],
]

/** What has changed since the last message. */
export class Gathered {
  readonly #changed = new Set<LiveSubject>()
  readonly #jobIds = new Set<string>()
  readonly #broadcastIds = new Set<string>()
  #unnamed = false

  /** @param jobId the job, when a single one has changed */
  add(changed: readonly LiveSubject[], jobId?: string): void {
    for (const subject of changed) this.#changed.add(subject)
    if (!changed.includes('jobs')) return
    if (jobId === undefined) this.#unnamed = true
    else this.#jobIds.add(jobId)
  }

  /** @param broadcastId the broadcast that the job belongs to */
  addEvent(event: string, jobId: string | null, broadcastId: string | null = null): void {
    const found = subjects.find(([name]) => name.test(event))
    if (found) this.add(found[1], jobId ?? undefined)
    if (broadcastId === null) return
    this.#changed.add('broadcasts')
    this.#broadcastIds.add(broadcastId)
  }

  /** Undefined when nothing that a screen shows has changed. */
  message(): LiveMessage | undefined {
    if (this.#changed.size === 0) return undefined
    const named = !this.#unnamed && this.#jobIds.size > 0 && this.#jobIds.size <= maxIds
    const broadcasts = [...this.#broadcastIds]
    return {
      changed: [...this.#changed],
      ...(named ? { job_ids: [...this.#jobIds] } : {}),
      ...(broadcasts.length > 0 && broadcasts.length <= maxIds ? { broadcast_ids: broadcasts } : {}),
    }
  }
}
