import { describe, expect, it } from 'vitest'
import { emptyWorld } from '../demo/world.ts'
import { findPlace, groups, openPlaces, places, tabRows } from './navigation.ts'

const here = { config: emptyWorld().config, may: () => true }

describe('the navigation table', () => {
  it('names every place once, below its own group', () => {
    expect(new Set(places.map((place) => place.key)).size).toBe(places.length)
    for (const place of places) expect(place.key.split('/').slice(0, -1)).toEqual(place.parent ? [place.parent] : [])
  })

  it('begins with what an operator does all day, in the order of the tabs', () => {
    const labels = tabRows(here).map((row) => row.label)
    expect(labels.slice(0, 7)).toEqual(['Dashboard', 'Send', 'Jobs', 'Inbox', 'Settings', 'Tools', 'People'])
  })

  it('finds a place by its key, and the first of a group by the group', () => {
    expect(findPlace('settings/keys', here)?.label).toBe('Keys')
    expect(findPlace('settings', here)?.parent).toBe('settings')
    expect(findPlace('nowhere', here)).toBeUndefined()
  })

  it('shows no group without places, and every open place with a tab of its own in exactly one row', () => {
    const rows = tabRows(here)
    expect(rows.every((row) => row.places.length > 0)).toBe(true)
    const shown = rows.flatMap((row) => row.places.map((place) => place.key))
    expect(shown.toSorted()).toEqual(
      openPlaces(here)
        .filter(({ within }) => within === undefined)
        .map((place) => place.key)
        .toSorted(),
    )
    expect(rows.filter((row) => Object.hasOwn(groups, row.key)).map((row) => row.key)).toContain('settings')
  })
})
