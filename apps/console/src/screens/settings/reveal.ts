import { settingId } from '../../ui/form/setting-field.tsx'

/** The id of the element around a section. */
export const sectionId = (key: string) => `settings-${key}`

/**
 * Brings a setting or a section into view, opens what hides it, and moves the focus there.
 * @returns whether there is such a setting or section
 */
export function reveal(key: string): boolean {
  const setting = document.getElementById(settingId(key))
  const target = setting ?? document.getElementById(sectionId(key))
  if (!target) return false
  let fold = setting ? setting.closest('details') : target.querySelector<HTMLDetailsElement>(':scope > details')
  for (; fold; fold = fold.parentElement?.closest('details') ?? null) fold.open = true
  const control = setting?.querySelector<HTMLElement>('input:enabled, select:enabled, textarea:enabled')
  const heading = target.querySelector<HTMLElement>('[tabindex="-1"]')
  target.scrollIntoView({ block: setting ? 'center' : 'start' })
  ;(control ?? heading ?? target).focus({ preventScroll: true })
  return true
}
