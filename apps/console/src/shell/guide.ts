import type { Config } from '@faxdeck/contract'
import type { Place } from './navigation.ts'

/** Pages of the documentation that are not called as the place is. */
const otherwise: Readonly<Record<string, string>> = {
  dashboard: '',
  'settings/settings': 'reference/settings',
  'tools/terminal': 'scripts',
  account: 'people',
  'people/groups': 'people',
}

/** Address of the page of the documentation about a place. */
export function guideOf(place: Pick<Place, 'key'> | undefined, { branding }: Pick<Config, 'branding'>): string {
  const page = place ? (otherwise[place.key] ?? place.key.split('/').at(-1) ?? '') : ''
  return `${branding.docs_base.replace(/\/$/, '')}/${page === '' ? '' : `${page}/`}`
}
