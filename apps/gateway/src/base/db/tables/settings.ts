export interface SavedSettingRow {
  key: string
  /** JSON; sealed text for secrets. */
  value: string
  sealed: number
  updated_at: string
  updated_by: string
}

/** What each key wrote last in a place, kept for when another that wrote over it is revoked. */
export interface SettingVersionRow {
  /** Where it stands or stood: saved in the database, a line of faxdeck.env, an installed manifest. */
  place: 'database' | 'file' | 'plugin'
  /** Payload key of the setting, or id of the plugin. */
  key: string
  /** The id of the key; `operator` for lines that no key wrote. */
  saved_by: string
  /** JSON; sealed text for secrets. */
  value: string
  sealed: number
  /** Grows with every version. */
  seq: number
}

/** HTTP manifests. A removed one stays as a row without its text, so that the revision only grows. */
export interface InstalledManifestRow {
  id: string
  /** JSON as it was given; null once it is removed. */
  manifest: string | null
  /** Grows with every change of any manifest. */
  revision: number
  installed_at: string
  installed_by: string
}
