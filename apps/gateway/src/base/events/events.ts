import { transactTogether } from '../db/commit-group.ts'
import type { Database, Tx } from '../db/database.ts'
import { afterCommit, gather, type Gatherer } from '../db/transact.ts'
import { type ActorNames, appendToChain, type ChainHead, type Happening, withNames } from './chain.ts'
import type { AuditEntry, AuditFilter, EventFacts } from './facts.ts'
import { type ChainVerdict, listEvents, verifyChain } from './read.ts'

export type RecordingSink = (tx: Tx, entries: readonly AuditEntry[]) => Promise<void>

/**
 * Records one event, or several of the kind. Within a transaction, the event commits or rolls back with it, and is
 * appended last, because the end of the chain stays locked from then on.
 */
type Recording<E extends keyof EventFacts> = (facts: EventFacts[E] | readonly EventFacts[E][], tx?: Tx) => Promise<void>

/** Each stands for somebody who has changed the database. */
const maxMissing = 100

/** Whether a chain with this end lacks an entry that was committed before: it was cut off or rewritten. */
const isCutAt = (end: ChainHead, known: ChainHead) =>
  end.seq < known.seq || (end.seq === known.seq && end.hash !== known.hash)

/** The audit trail of a database: one method per event. */
export class Events {
  readonly #database: Database
  readonly #now: () => Date
  readonly #names: ActorNames | undefined
  readonly #recorded = new Set<(entry: AuditEntry) => void>()
  readonly #recording: RecordingSink[] = []
  #newest: ChainHead | undefined
  /** Entries that this process has recorded as its newest, and without which the chain was found to go on. */
  #missing: readonly ChainHead[] = []
  readonly #chain: Gatherer<Happening> = { turn: 'audit', write: (tx, happenings) => this.#append(tx, happenings) }

  /** @param names knows who is called how; without it, entries have ids alone */
  constructor(database: Database, now: () => Date, names?: ActorNames) {
    this.#database = database
    this.#now = now
    this.#names = names
  }

  readonly jobCreated = this.#method('job_created')
  readonly jobDispatch = this.#method('job_dispatch')
  readonly jobUpdated = this.#method('job_updated')
  readonly jobFailed = this.#method('job_failed')
  readonly jobCanceled = this.#method('job_cancelled')
  readonly jobResent = this.#method('job_resent')
  readonly jobReleased = this.#method('job_released')
  readonly jobsHeld = this.#method('jobs_held')
  readonly jobResolved = this.#method('job_resolved')
  readonly bulkStarted = this.#method('bulk_started')
  readonly bulkStopped = this.#method('bulk_stopped')
  readonly jobConflict = this.#method('job_conflict')
  readonly broadcastCreated = this.#method('broadcast_created')
  readonly broadcastPaused = this.#method('broadcast_paused')
  readonly broadcastResumed = this.#method('broadcast_resumed')
  readonly broadcastCanceled = this.#method('broadcast_cancelled')
  readonly broadcastExported = this.#method('broadcast_exported')
  readonly pdfServed = this.#method('pdf_served')
  readonly adminPdfDownload = this.#method('admin_pdf_download')
  readonly documentViewed = this.#method('document_viewed')
  readonly numberShown = this.#method('number_shown')
  readonly thumbnailShown = this.#method('thumbnail_shown')
  readonly documentPrinted = this.#method('document_printed')
  readonly documentRemoved = this.#method('document_removed')
  readonly straysRemoved = this.#method('strays_removed')
  readonly holdPlaced = this.#method('hold_placed')
  readonly holdLifted = this.#method('hold_lifted')
  readonly retentionChanged = this.#method('retention_changed')
  readonly deletionsAnnounced = this.#method('deletions_announced')
  readonly deletionsPaused = this.#method('deletions_paused')
  readonly deletionsResumed = this.#method('deletions_resumed')
  readonly clockConfirmed = this.#method('clock_confirmed')
  readonly masterKeyChanged = this.#method('master_key_changed')
  readonly recordsExported = this.#method('records_exported')
  readonly recordsExportEnded = this.#method('records_export_ended')
  readonly reportMade = this.#method('report_made')
  readonly documentKeyRotated = this.#method('document_key_rotated')
  readonly documentsEncrypted = this.#method('documents_encrypted')
  readonly storageAccepted = this.#method('storage_accepted')
  readonly databaseRestored = this.#method('database_restored')
  readonly dataFolderSettled = this.#method('data_folder_settled')
  readonly installationImported = this.#method('installation_imported')

  readonly inboundReceived = this.#method('inbound_received')
  readonly inboundFailed = this.#method('inbound_failed')
  readonly inboundFetchFailed = this.#method('inbound_fetch_failed')
  readonly inboundFetchRequested = this.#method('inbound_fetch_requested')
  readonly inboundFetchRefused = this.#method('inbound_fetch_refused')
  readonly inboundUnclear = this.#method('inbound_unclear')
  readonly inboundTextRead = this.#method('inbound_text_read')
  readonly inboundSettled = this.#method('inbound_settled')
  readonly inboundPdfServed = this.#method('inbound_pdf_served')
  readonly inboundDeleted = this.#method('inbound_deleted')
  readonly inboundDeclined = this.#method('inbound_declined')
  readonly callbackUnreadable = this.#method('callback_unreadable')
  readonly callbackRefused = this.#method('callback_refused')

  readonly apiKeyCreated = this.#method('api_key_created')
  readonly apiKeyRevoked = this.#method('api_key_revoked')
  readonly apiKeyRotated = this.#method('api_key_rotated')
  readonly apiKeyDeniedScope = this.#method('api_key_denied_scope')
  readonly rateLimited = this.#method('rate_limited')
  readonly apiError = this.#method('api_error')
  readonly loginFailed = this.#method('login_failed')
  readonly loginSucceeded = this.#method('login_succeeded')

  readonly permissionDenied = this.#method('permission_denied')
  readonly personInvited = this.#method('person_invited')
  readonly personJoined = this.#method('person_joined')
  readonly personChanged = this.#method('person_changed')
  readonly personSignedIn = this.#method('person_signed_in')
  readonly personSignedOut = this.#method('person_signed_out')
  readonly signInFailed = this.#method('sign_in_failed')
  readonly sessionsEnded = this.#method('sessions_ended')
  readonly passwordChanged = this.#method('password_changed')
  readonly accountConfirmed = this.#method('account_confirmed')
  readonly factorAdded = this.#method('factor_added')
  readonly factorRemoved = this.#method('factor_removed')
  readonly passkeyRenamed = this.#method('passkey_renamed')
  readonly factorsReset = this.#method('factors_reset')
  readonly recoveryCodesMade = this.#method('recovery_codes_made')
  readonly recoveryCodeUsed = this.#method('recovery_code_used')

  readonly groupCreated = this.#method('group_created')
  readonly groupRenamed = this.#method('group_renamed')
  readonly groupDeleted = this.#method('group_deleted')
  readonly groupNumberAdded = this.#method('group_number_added')
  readonly groupNumberRemoved = this.#method('group_number_removed')
  readonly groupCallingNumberSet = this.#method('group_calling_number_set')
  readonly groupMemberAdded = this.#method('group_member_added')
  readonly groupMemberRemoved = this.#method('group_member_removed')
  readonly faxOpenedWithReason = this.#method('fax_opened_with_reason')
  readonly faxOpeningMissed = this.#method('fax_opening_missed')
  readonly faxSearchWithReason = this.#method('fax_search_with_reason')

  readonly settingsChanged = this.#method('settings_changed')
  readonly settingsUndone = this.#method('settings_undone')
  readonly settingsExported = this.#method('settings_exported')
  readonly settingsPersisted = this.#method('settings_persisted')
  readonly settingsValidated = this.#method('settings_validated')
  readonly restartRequested = this.#method('restart_requested')
  readonly requestRepeated = this.#method('request_repeated')

  readonly approvalRequested = this.#method('approval_requested')
  readonly approvalGranted = this.#method('approval_granted')
  readonly approvalRefused = this.#method('approval_refused')
  readonly approvalExpired = this.#method('approval_expired')

  readonly webhookRegistered = this.#method('webhook_registered')
  readonly webhookCreated = this.#method('webhook_created')
  readonly webhookUpdated = this.#method('webhook_updated')
  readonly webhookRemoved = this.#method('webhook_removed')
  readonly webhookRotated = this.#method('webhook_rotated')
  readonly webhookTested = this.#method('webhook_tested')
  readonly webhookReplayed = this.#method('webhook_replayed')
  readonly webhookReplayedSince = this.#method('webhook_replayed_since')
  readonly webhookStopped = this.#method('webhook_stopped')

  readonly actionStarted = this.#method('action_started')
  readonly actionEnded = this.#method('action_ended')
  readonly numbersForgotten = this.#method('numbers_forgotten')
  readonly pairingCodeMade = this.#method('pairing_code_made')
  readonly pairingRefused = this.#method('pairing_refused')
  readonly pluginInstalled = this.#method('plugin_installed')
  readonly pluginRemoved = this.#method('plugin_removed')
  readonly pluginConfigured = this.#method('plugin_configured')
  readonly priceSaved = this.#method('price_saved')
  readonly priceRemoved = this.#method('price_removed')

  /**
   * What the chain must contain by the memory of this process, which somebody who changes the database can't change: the
   * newest entry that it has recorded, and before it those without which the chain was found to continue.
   */
  recorded = (): readonly ChainHead[] => (this.#newest ? [...this.#missing, this.#newest] : [])

  /**
   * Newest first, each with the names of those who acted: as they were called then or, in entries without names, as they
   * are called now. Looks through at most the newest 50,000 entries.
   */
  list(filter: AuditFilter): Promise<AuditEntry[]> {
    return listEvents(this.#database, filter, this.#names)
  }

  /** Entries with the names of those who acted, as `list` gives them. */
  named<Entry extends object>(entries: readonly Entry[]): Promise<Entry[]> {
    return withNames(this.#names, this.#database.db, entries)
  }

  /** The ids of those who are or were called so. */
  async actorsCalled(name: string): Promise<string[]> {
    return (await this.#names?.find(this.#database.db, name.toLowerCase())) ?? []
  }

  /** Recomputes the chain. @throws the signal's reason when it is aborted */
  verify(signal?: AbortSignal): Promise<ChainVerdict> {
    return verifyChain(this.#database, signal)
  }

  /**
   * Calls `sink` with entries in the transaction that records them, so that what it writes commits or rolls back with
   * them.
   */
  onRecording(sink: RecordingSink): void {
    this.#recording.push(sink)
  }

  /** Calls `sink` with every entry once it is committed; returns how to stop. */
  onRecorded(sink: (entry: AuditEntry) => void): () => void {
    this.#recorded.add(sink)
    return () => void this.#recorded.delete(sink)
  }

  #method<E extends keyof EventFacts>(event: E): Recording<E> {
    return async (facts, tx) => {
      const all = [facts].flat()
      if (all.length === 0) return
      const ts = this.#now().toISOString()
      const happenings = all.map((each) => ({ ts, event, facts: each }))
      if (tx) gather(tx, this.#chain, happenings)
      else await transactTogether(this.#database, async (own) => gather(own, this.#chain, happenings))
    }
  }

  async #append(tx: Tx, happenings: readonly Happening[]): Promise<void> {
    if (happenings.length === 0) return
    const { entries, before, head } = await appendToChain(tx, happenings, this.#names)
    const lost = this.#newest && isCutAt(before, this.#newest) ? this.#newest : undefined
    for (const sink of this.#recording) await sink(tx, entries)
    await this.#database.signals.notify(tx, 'audit')
    afterCommit(tx, () => {
      // Of several that find it lost, the first one notes it.
      const isLost = lost !== undefined && lost === this.#newest
      if (isLost) this.#missing = [...this.#missing, lost].slice(-maxMissing)
      if (isLost || head.seq > (this.#newest?.seq ?? 0)) this.#newest = head
      for (const entry of entries) for (const sink of this.#recorded) sink(entry)
    })
  }
}
