import type { SettingsInForce } from '../settings/settings.ts'
import { StorageProblem, type Storage } from '../storage/storage.ts'
import type { Group, Probe } from './probe.ts'

function s3Probes({ s3_bucket: bucket, s3_kms_key_id: kmsKey }: SettingsInForce): Probe[] {
  return [
    {
      name: 'bucket_set',
      severity: 'critical',
      hint: 'Documents are to be kept in S3 and no bucket is named: set the S3 bucket.',
      setting: 's3_bucket',
      run: () => ({ passed: bucket !== null }),
    },
    {
      name: 'kms_enabled',
      severity: 'warning',
      hint: 'Documents in S3 are not sealed with a key of your own, which HIPAA asks for: set the S3 KMS key.',
      setting: 's3_kms_key_id',
      run: () => ({ passed: kmsKey !== null }),
    },
  ]
}

/** Whether documents can be stored, read and removed now. */
export function storageGroup(storage: Storage, values: SettingsInForce): Group {
  const accessible: Probe = {
    name: 'accessible',
    severity: 'critical',
    hint: 'Documents cannot be stored: make the storage writable for Faxdeck, and check its settings.',
    setting: 'storage_backend',
    run: async () => {
      try {
        await storage.probe()
        return { passed: true }
      } catch (error) {
        if (error instanceof StorageProblem) return { passed: false, detail: error.message }
        throw error
      }
    },
  }
  return {
    name: 'storage',
    facts: { type: storage.kind },
    probes: [accessible, ...(storage.kind === 's3' ? s3Probes(values) : [])],
  }
}
