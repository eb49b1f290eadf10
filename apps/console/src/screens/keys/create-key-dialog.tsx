import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Checkbox, fieldsOf, SelectField, TextField } from '../../ui/form/fields.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import styles from './keys.module.css'
import { createKey, keysQuery, type KeyWithToken, type NewKey } from './queries.ts'
import { type ChosenLimit, isWhole, limitOf, noLimit, ReceivedLimitFields } from './received-limit.tsx'
import {
  aboutAccess,
  accessChoices,
  allScopes,
  type ChosenAccess,
  defaultScopes,
  parseScopes,
  scopeMeanings,
  scopesFault,
  toggleScope,
} from './scopes.ts'

interface Props {
  onClose: () => void
  onCreated: (created: KeyWithToken) => void
}

const empty = { name: '', owner: '', scopes: defaultScopes, access: 'own' as ChosenAccess, expires: '', limit: noLimit }

/** Whether a key with these scopes can be limited to some received faxes. */
const canBeLimited = (typed: string): boolean => {
  const { scopes } = parseScopes(typed)
  return !scopes.includes('keys:manage') && scopes.some((scope) => scope.startsWith('inbound:'))
}

/** Whether it can be made to delete received faxes: it must open them, and see some. */
const canDelete = ({ scopes, access, limit }: typeof empty): boolean =>
  canBeLimited(scopes) && parseScopes(scopes).scopes.includes('inbound:read') && (access !== 'own' || limit.isLimited)

/** What is sent: empty fields are left out, the key ends with the chosen day of the person's own zone. */
function requestOf(entered: typeof empty): NewKey {
  const limit = canBeLimited(entered.scopes) ? limitOf(entered.limit) : undefined
  const name = entered.name.trim()
  const owner = entered.owner.trim()
  return {
    ...(name && { name }),
    ...(owner && { owner }),
    scopes: parseScopes(entered.scopes).scopes,
    fax_access: entered.access,
    ...(limit && { received_only: limit }),
    ...(entered.limit.deletes && canDelete(entered) && { received_delete: true }),
    ...(entered.expires && { expires_at: new Date(`${entered.expires}T23:59:59`).toISOString() }),
  }
}

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const [entered, setEntered] = useState(empty)
  const create = useAction(createKey, {
    refreshes: [keysQuery.queryKey],
    onDone: (created) => {
      onClose()
      onCreated(created)
    },
  })
  const fault = scopesFault(entered.scopes)
  const isLimitable = canBeLimited(entered.scopes)
  const field = fieldsOf(entered, setEntered)
  return (
    <FormDialog
      title="Create a key"
      verb="Create"
      ready={fault === undefined && (!isLimitable || isWhole(entered.limit))}
      action={create}
      onSubmit={() => create.run(requestOf(entered))}
      onClose={onClose}
    >
      <TextField
        label="Key Name"
        help="What will use the key, such as “front desk” or “billing”."
        maxLength={100}
        autoFocus
        {...field('name')}
      />
      <TextField label="Owner" help="The person to contact about this key." maxLength={100} {...field('owner')} />
      <ScopeBoxes typed={entered.scopes} onChange={field('scopes').onChange} />
      <TextField label="Permissions (Scopes)" wrong={fault} spellCheck={false} {...field('scopes')} />
      <FaxAccessField {...entered} onChange={field('access').onChange} />
      {isLimitable && (
        <ReceivedLimitFields
          chosen={entered.limit}
          canDelete={canDelete(entered)}
          onChange={(limit) => setEntered({ ...entered, limit })}
        />
      )}
      <TextField label="Expires on (optional)" type="date" {...field('expires')} />
    </FormDialog>
  )
}

interface FaxAccessProps {
  scopes: string
  access: ChosenAccess
  limit: ChosenLimit
  onChange: (access: ChosenAccess) => void
}

/** Of use only to a key that sends, reads or receives faxes; one that administers sees all of them. */
function FaxAccessField({ scopes: typed, access, limit, onChange }: FaxAccessProps) {
  const { scopes } = parseScopes(typed)
  const administers = scopes.includes('keys:manage')
  if (scopes.length === 0) return null
  return (
    <SelectField
      label="Faxes it can see"
      help={aboutAccess(access, scopes, limit.isLimited)}
      choices={accessChoices}
      value={administers ? 'all' : access}
      disabled={administers}
      onChange={onChange}
    />
  )
}

function ScopeBoxes({ typed, onChange }: { typed: string; onChange: (typed: string) => void }) {
  const { scopes } = parseScopes(typed)
  return (
    <fieldset className={styles.scopes}>
      <legend className="unseen">Scopes to choose from</legend>
      {allScopes.map((scope) => (
        <Checkbox
          key={scope}
          label={scope}
          help={scopeMeanings[scope]}
          checked={scopes.includes(scope)}
          onChange={(wanted) => onChange(toggleScope(typed, scope, wanted))}
        />
      ))}
    </fieldset>
  )
}
