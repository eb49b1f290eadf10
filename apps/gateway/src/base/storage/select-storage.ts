import type { CoreSettings } from '@faxdeck/settings'
import type { Identity } from './identity.ts'
import { createS3Storage, type S3Place } from './s3.ts'
import { type Place, type Storage, StorageProblem } from './storage.ts'
import { atMostEvery, withIdentity } from './with-identity.ts'

export type StorageSettings = Pick<
  CoreSettings,
  'storage_backend' | 's3_bucket' | 's3_region' | 's3_prefix' | 's3_endpoint_url' | 's3_kms_key_id'
>

const placeOf = (settings: StorageSettings): S3Place | undefined =>
  settings.s3_bucket === null
    ? undefined
    : {
        bucket: settings.s3_bucket,
        region: settings.s3_region,
        prefix: settings.s3_prefix,
        endpoint: settings.s3_endpoint_url,
        kmsKeyId: settings.s3_kms_key_id,
      }

const noBucket = 'Storage is set to S3 but no bucket is set. Set S3_BUCKET, or store on the local disk.'

/** The S3 storage of the settings in force: the same one until they change. */
function s3Of(settings: () => StorageSettings): () => ReturnType<typeof createS3Storage> | undefined {
  let made: { of: string; storage: ReturnType<typeof createS3Storage> } | undefined
  return () => {
    const place = placeOf(settings())
    const of = JSON.stringify(place)
    if (made?.of !== of) {
      // Calls under way end on the connections they have.
      made = place && { of, storage: createS3Storage(place) }
    }
    return made?.storage
  }
}

/** A bucket is far away: what was seen counts for so long, except for those who ask whether all is well. */
const rememberMs = 10_000

interface Guarded {
  chosen: Storage
  other: Storage
}

function guardPlace(place: Place, identity: Identity | undefined): Guarded {
  if (!identity) return { chosen: place, other: place }
  const { check, checkKnown } = identity
  const often = (ask: () => Promise<void>) => (place.kind === 'local' ? ask : atMostEvery(rememberMs, ask))
  return { chosen: withIdentity(place, often(check), check), other: withIdentity(place, often(checkKnown)) }
}

/** Gives the identity of a place. @param exists whether a document is stored, in whichever place */
type Identify = (place: Place, exists: (key: string) => Promise<boolean>) => Identity

/**
 * The storage that the settings name, followed when they change. Documents stay where they were put: what the present
 * place does not have is looked for in the other one.
 * @param identify left out, any place is taken for the right one
 */
export function createSelectedStorage(local: Place, settings: () => StorageSettings, identify?: Identify): Storage {
  const s3 = s3Of(settings)
  const known = new WeakMap<Place, Guarded>()
  const guard = (place: Place): Guarded => {
    const guarded = known.get(place) ?? guardPlace(place, identify?.(place, existsAnywhere))
    known.set(place, guarded)
    return guarded
  }
  const existsAnywhere = async (key: string) => (await local.exists(key)) || ((await s3()?.exists(key)) ?? false)
  const present = (): Storage => {
    if (settings().storage_backend !== 's3') return guard(local).chosen
    const place = s3()
    if (!place) throw new StorageProblem('unreachable', noBucket)
    return guard(place).chosen
  }
  const other = () => {
    const place = settings().storage_backend === 's3' ? local : s3()
    return place && guard(place).other
  }
  const holderOf = async (key: string) => ((await present().exists(key)) ? present() : (other() ?? present()))
  const either = async <T>(read: (place: Storage) => Promise<T>): Promise<T> => {
    try {
      return await read(present())
    } catch (error) {
      const elsewhere = error instanceof StorageProblem && error.code === 'missing' ? other() : undefined
      if (!elsewhere) throw error
      return read(elsewhere)
    }
  }
  return {
    get kind() {
      return settings().storage_backend
    },
    put: async (key, content) => present().put(key, content),
    replace: async (key, content) => (await holderOf(key)).replace(key, content),
    get: (key) => either((place) => place.get(key)),
    open: (key) => either((place) => place.open(key)),
    exists: async (key) => (await present().exists(key)) || ((await other()?.exists(key)) ?? false),
    remove: async (key) => {
      await present().remove(key)
      await other()?.remove(key)
    },
    list: async function* (folder) {
      yield* present().list(folder)
      yield* other()?.list(folder) ?? []
    },
    probe: async () => present().probe(),
    check: async () => present().check(),
  }
}
