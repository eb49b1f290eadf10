import type { ReplyOf, Routes } from '@faxdeck/contract'
import { diskFull, fileFault, type Finding, notRun } from '@faxdeck/provider-kit'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { StorageProblem, type Storage } from '../../base/storage/storage.ts'
import type { Group, Probe } from '../../base/checks.ts'
import type { DocumentWatch } from './watch-documents.ts'

function s3Probes({ s3_bucket: bucket, s3_kms_key_id: kmsKey }: SettingsInForce): Probe[] {
  return [
    {
      name: 'bucket_set',
      severity: 'critical',
      hint: 'Storage is set to S3 but no bucket is set. Set the S3 bucket.',
      setting: 's3_bucket',
      run: () => ({ passed: bucket !== null }),
    },
    {
      name: 'kms_enabled',
      severity: 'warning',
      hint: 'Documents in S3 are not encrypted with your own key, which HIPAA requires. Set the S3 KMS key.',
      setting: 's3_kms_key_id',
      run: () => ({ passed: kmsKey !== null }),
    },
  ]
}

const displaced =
  'This is not the documents folder Faxdeck has been using. A volume is not mounted, or the data directory was moved. Mount the right one; no faxes are accepted until then.'
const fullHere = 'The storage is full. Free some space, or shorten document retention.'

function storageFault(error: unknown, kind: Storage['kind']): Finding | undefined {
  if (!(error instanceof StorageProblem)) return fileFault(error, 'The documents folder')
  const { advice, message } = error
  if (advice) {
    const { seen, hint, setting } = advice
    return { passed: false, detail: seen, instead: { hint, ...(setting !== undefined && { setting }) } }
  }
  if (error.code === 'displaced') return { passed: false, detail: message, instead: { hint: displaced } }
  if (error.code === 'full')
    return { passed: false, detail: message, instead: { hint: kind === 's3' ? fullHere : diskFull } }
  return { passed: false, detail: message }
}

function accessible(storage: Storage): Probe {
  return {
    name: 'accessible',
    severity: 'critical',
    hint: 'Documents can’t be stored. Make the storage writable for Faxdeck, and check its settings.',
    setting: 'storage_backend',
    holdsInSilence: true,
    run: async () => {
      try {
        await storage.probe()
        return { passed: true }
      } catch (error) {
        const fault = storageFault(error, storage.kind)
        if (!fault) throw error
        return fault
      }
    },
  }
}

/** Whether the documents that are kept are still there. What keeps the storage from being asked is said elsewhere. */
function storedDocuments(documents: DocumentWatch): Probe {
  return {
    name: 'documents_kept',
    severity: 'critical',
    hint: 'Fax documents are missing from storage, and Faxdeck did not remove them. Restore them from a backup, and find out who else can write there.',
    run: async (signal) => {
      try {
        const { looked, missing, example } = await documents.look(signal)
        if (missing === 0) return { passed: true, detail: `checked the documents of ${looked} faxes` }
        const of = example === null ? '' : ` The first is that of ${example}.`
        return { passed: false, detail: `${missing} missing so far.${of}` }
      } catch (error) {
        if (storageFault(error, 'local')) return notRun('Not run: the storage cannot be used.')
        throw error
      }
    },
  }
}

/** How far encryption of what was stored before is. */
export type EncryptionState = ReplyOf<Routes['getEncryption']>

function storedEncryption(look: () => Promise<EncryptionState>): Probe {
  return {
    name: 'stored_encrypted',
    severity: 'info',
    hint: 'Documents stored before encryption was turned on are still being encrypted.',
    setting: 'document_encryption',
    run: async () => {
      const { state, documents_done: done, documents_total: of, problem } = await look()
      if (state === 'off' || state === 'done') return { passed: true, detail: state }
      const detail =
        state === 'encrypting' ? `${done} of ${of} documents.` : 'Old words are being erased from the database.'
      if (problem === null) return { passed: false, detail }
      const hint = 'Documents stored before encryption was turned on, or words of them, are not encrypted yet.'
      return { passed: false, detail: `${detail} ${problem}`, instead: { hint, severity: 'warning' } }
    },
  }
}

interface Stored {
  documents: DocumentWatch
  encryption: () => Promise<EncryptionState>
}

/** Whether documents can be stored, read and removed now, and are still there. @param stored left out when settings are tried */
export function storageGroup(storage: Storage, values: SettingsInForce, stored?: Stored): Group {
  return {
    name: 'storage',
    facts: { type: storage.kind },
    probes: [
      accessible(storage),
      ...(stored ? [storedDocuments(stored.documents), storedEncryption(stored.encryption)] : []),
      ...(storage.kind === 's3' ? s3Probes(values) : []),
    ],
  }
}
