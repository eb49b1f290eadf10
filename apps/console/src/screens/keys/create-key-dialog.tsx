import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { aboutAccess, accessChoices, type ChosenAccess } from './fax-access.ts'
import styles from './keys.module.css'
import { createKey, keysQuery, type KeyWithToken, type NewKey } from './queries.ts'
import { allScopes, defaultScopes, parseScopes, scopeMeanings, scopesFault, toggleScope } from './scopes.ts'

interface Props {
  onClose: () => void
  onCreated: (created: KeyWithToken) => void
}

const empty = { name: '', owner: '', scopes: defaultScopes, access: 'own' as ChosenAccess, expires: '' }

/** What is sent: empty fields are left out, the key ends with the chosen day of the person's own zone. */
function requestOf(entered: typeof empty): NewKey {
  const name = entered.name.trim()
  const owner = entered.owner.trim()
  return {
    ...(name && { name }),
    ...(owner && { owner }),
    scopes: parseScopes(entered.scopes).scopes,
    fax_access: entered.access,
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
  const set = (field: 'name' | 'owner' | 'scopes' | 'expires') => (value: string) =>
    setEntered({ ...entered, [field]: value })
  return (
    <FormDialog
      title="Create a key"
      verb="Create"
      ready={fault === undefined}
      action={create}
      onSubmit={() => create.run(requestOf(entered))}
      onClose={onClose}
    >
      <TextField
        label="Key Name"
        help="What will use the key, such as “front desk” or “billing”."
        maxLength={100}
        autoFocus
        value={entered.name}
        onChange={set('name')}
      />
      <TextField
        label="Owner"
        help="The person to contact about this key."
        maxLength={100}
        value={entered.owner}
        onChange={set('owner')}
      />
      <ScopeBoxes typed={entered.scopes} onChange={set('scopes')} />
      <TextField
        label="Permissions (Scopes)"
        wrong={fault}
        spellCheck={false}
        value={entered.scopes}
        onChange={set('scopes')}
      />
      <FaxAccessField {...entered} onChange={(access) => setEntered({ ...entered, access })} />
      <TextField label="Expires on (optional)" type="date" value={entered.expires} onChange={set('expires')} />
    </FormDialog>
  )
}

interface FaxAccessProps {
  scopes: string
  access: ChosenAccess
  onChange: (access: ChosenAccess) => void
}

/** Of use only to a key that sends, reads or receives faxes; one that administers sees all of them. */
function FaxAccessField({ scopes: typed, access, onChange }: FaxAccessProps) {
  const { scopes } = parseScopes(typed)
  const administers = scopes.includes('keys:manage')
  if (scopes.length === 0) return null
  return (
    <SelectField
      label="Faxes it can see"
      help={aboutAccess(access, scopes)}
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
