import type { DescribedSetting } from '@faxdeck/contract'
import { useState } from 'react'
import { DownloadButton } from '../../../api/download-button.tsx'
import { useAction } from '../../../api/use-action.ts'
import { Button, CopyButton } from '../../../ui/control/button.tsx'
import { Checkbox } from '../../../ui/form/fields.tsx'
import { beneathOf, isReset, type SettingEntry } from '../../../ui/form/setting-entry.ts'
import { Panel } from '../../../ui/layout/card.tsx'
import { PlainCode } from '../../../ui/layout/code-block.tsx'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import type { Plan } from '../plan.ts'
import { exportSettings } from '../queries.ts'
import styles from '../setup.module.css'

/** A value as .env files hold it; undefined when no kind of quote can hold it. They know no escapes. */
function quoted(value: string): string | undefined {
  if (value === '' || /^[^\s#'"`\\]+$/.test(value)) return value
  if (value.endsWith('\\')) return undefined
  const quote = ["'", '`', ...(value.includes('\\') ? [] : ['"'])].find((candidate) => !value.includes(candidate))
  return quote === undefined ? undefined : quote + value + quote
}

function lineOf(setting: DescribedSetting, entry: SettingEntry, secrets: boolean): string {
  const { env, type } = setting
  if (type === 'secret' && !secrets && !isReset(entry)) return `# ${env} is entered. Include secrets to see it.`
  const value = isReset(entry) ? beneathOf(setting).value : entry
  // What a cleared secret falls back to is not shown here.
  if (value === null || value === '' || (type === 'secret' && isReset(entry))) return `# ${env} is not set.`
  const text = quoted(String(value))
  return text === undefined
    ? `# ${env} mixes quotes in a way this file can’t represent. Set it in the environment.`
    : `${env}=${text}`
}

const saysSomethingOf = (line: string, env: string) => new RegExp(`^(# )?${env}(=| is )`).test(line)

/**
 * The exported settings with what is entered and not applied yet in its place.
 * @param exported an .env file with the settings in force, a line each
 * @param secrets whether entered secrets are written; otherwise they are only named
 */
export function withChanges(exported: string, { settings, changes }: Plan, secrets: boolean): string {
  const lines = exported.split('\n')
  const added: string[] = []
  for (const setting of settings) {
    const entry = changes[setting.key]
    if (entry === undefined) continue
    const line = lineOf(setting, entry, secrets)
    const at = lines.findIndex((each) => saysSomethingOf(each, setting.env))
    if (at === -1) added.push(line)
    else lines[at] = line
  }
  const more = added.length > 0 ? `\n# entered in the setup\n${added.join('\n')}\n` : ''
  return `${lines.join('\n').trimEnd()}\n${more}`
}

const fileName = 'faxdeck.env'

/** The configuration as an .env file: what is in force, with what is entered here in its place. */
export function EnvPanel({ plan }: { plan: Plan }) {
  const [secrets, setSecrets] = useState(false)
  const [made, setMade] = useState<{ exported: string; secrets: boolean }>()
  const generate = useAction(exportSettings, {
    onDone: ({ env_content: exported }, asked) => setMade({ exported, secrets: asked }),
  })
  const content = made && withChanges(made.exported, plan, made.secrets)
  return (
    <Panel aria-label="Export">
      <h3>Export</h3>
      <div className={styles.row}>
        <Button busy={generate.busy} onClick={() => generate.run(secrets)}>
          Generate .env
        </Button>
        <Checkbox label="Include secrets" help="Recorded in the audit trail." checked={secrets} onChange={setSecrets} />
      </div>
      {generate.error && <ErrorNotice error={generate.error} />}
      {content !== undefined && (
        <>
          <PlainCode aria-label={fileName}>{content}</PlainCode>
          <div className={styles.row}>
            <CopyButton text={content} what={fileName} />
            <DownloadButton text={content} name={fileName} type="text/plain" />
          </div>
        </>
      )}
    </Panel>
  )
}
