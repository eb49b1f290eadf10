/** People who handle the faxes of some numbers together. */
export interface GroupRow {
  id: string
  name: string
  /** The name in lower case, which is unique. */
  name_key: string
  created_at: string
  /** The key or person who made it. */
  created_by: string
  /** One of its numbers, from which its faxes come; null for that of the line. */
  calling_number: string | null
}

/** One of the installation's numbers. It belongs to at most one group. */
export interface GroupNumberRow {
  /** E.164. */
  number: string
  group_id: string
}

export interface GroupMemberRow {
  group_id: string
  person_id: string
}

/** An attempt of a person to open a fax outside of their groups. */
export interface FaxOpeningRow {
  id: string
  person_id: string
  fax_id: string
  reason: string
  /** When it ends; null where there is no such fax. */
  until: string | null
  created_at: string
}
