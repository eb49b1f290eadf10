import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { flushSync } from 'react-dom'
import { LeaveQuestion } from '../../session/leave-question.tsx'
import { useSession } from '../../session/session.ts'
import { currentVisit } from '../../session/visit.ts'
import { Button } from '../../ui/control/button.tsx'
import { OutboundQuestion } from '../../ui/fax/outbound-question.tsx'
import { SaveBar } from '../../ui/form/save-bar.tsx'
import { HttpsNote } from '../../ui/layout/https-note.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { type EnvFile, useEnvFile } from './file/env-file.ts'
import { EnvPanel } from './file/env-panel.tsx'
import { LoadDialog, SaveEnvDialog } from './file/file-dialogs.tsx'
import { isFiltered, noFilter } from './find-settings.ts'
import { FormContext, httpsFacts } from './form.ts'
import { FoundSettings, SettingsFilter } from './found-settings.tsx'
import { settingsQuery } from './queries.ts'
import { RestartDialog, RestartNote, useRestartDue } from './restart-note.tsx'
import { PageMenu, unsavedWords } from './page-menu.tsx'
import { SectionOf } from './sections/section-stack.tsx'
import { pagesOf, pageWith } from './sections/sections.ts'
import styles from './settings.module.css'
import { useSettingsForm } from './use-settings-form.ts'
import { settingsPlace, useTarget } from './use-target.ts'

/** Every setting of the gateway, as its rows describe them. */
export function SettingsScreen() {
  const { config, visit, go } = useSession()
  const [asked, ask] = useState<'load' | 'restart' | 'save and restart' | 'outbound'>()
  const restart = useRestartDue()
  const [filter, setFilter] = useState(noFilter)
  // A hundred fields are drawn anew with each letter: the letters come first. All of them are shown at once.
  const later = useDeferredValue(filter)
  const drawn = isFiltered(filter) ? later : filter
  const showAll = () => setFilter(noFilter)
  const show = (open: string) => {
    // The page that is gone to is drawn by then.
    flushSync(showAll)
    go(settingsPlace, { open })
  }
  const settings = useSettingsForm(restart.add, show)
  const inForce = useQuery(settingsQuery)
  // Who has gone elsewhere meanwhile is not called back.
  const file = useEnvFile(() => currentVisit().place === settingsPlace && show('env'))
  const { form, rowsRead, providersRead, pending, discard } = settings
  const failures = [rowsRead.error, inForce.error, providersRead.error].filter((error) => error !== null)
  const count = Object.keys(form.entries).length
  const refresh = () => void Promise.all([rowsRead.refetch(), inForce.refetch(), providersRead.refetch()])
  const load = () => {
    settings.clear()
    refresh()
  }
  const askToLoad = () => (count > 0 ? ask('load') : load())
  const loading = rowsRead.isFetching
  const pages = pagesOf(form.rows, form.providers)
  const page = pageWith(pages, visit.open)
  useTarget(form.rows)
  const close = () => ask(undefined)
  const apply = () => {
    close()
    settings.apply()
  }
  return (
    <FormContext value={form}>
      <PageHead
        title="Settings"
        purpose="Each setting shows where its value comes from."
        actions={
          <HeadActions file={file} loading={loading} onLoad={askToLoad} onRestart={() => ask('save and restart')} />
        }
      />
      <div className={styles.screen}>
        {page && <PageMenu pages={pages} page={page} searching={isFiltered(filter)} onGo={show} />}
        <div className={styles.column}>
          {form.rows.length > 0 && <SettingsFilter filter={filter} onChange={setFilter} />}
          <RestartNote due={restart.due} onRestart={() => ask('save and restart')} onDismiss={restart.dismiss} />
          <HttpsNote facts={httpsFacts(form)}>
            <Button onClick={() => show('public_api_url')}>Go to the Public API URL</Button>
          </HttpsNote>
          {failures.map((error) => (
            <ErrorNotice key={error.failure} error={error} busy={loading} onRetry={refresh} />
          ))}
          {file.error && <ErrorNotice error={file.error} />}
          {!rowsRead.data && !rowsRead.error && <Skeleton lines={8} height={4} />}
          {isFiltered(drawn) && form.rows.length > 0 && <FoundSettings filter={drawn} onClear={showAll} />}
          {!isFiltered(drawn) &&
            form.rows.length > 0 &&
            page?.sections.map((section) =>
              section.key === 'env' ? (
                <EnvPanel key="env" file={file} unsaved={count > 0} />
              ) : (
                <SectionOf key={section.key} section={section} onSaved={(saved) => restart.add(saved, form.rows)} />
              ),
            )}
          <FootActions loading={loading} onRefresh={refresh} onLoad={askToLoad} onRestart={() => ask('restart')} />
          <SaveBar
            count={count}
            where={unsavedWords(pages, form.entries)}
            pending={pending && `Outbound provider: ${pending.from} to ${pending.to}`}
            busy={settings.applying}
            verb="Apply & Reload"
            error={settings.applyError}
            faults={settings.faults}
            onGo={show}
            onApply={pending ? () => ask('outbound') : apply}
            onDiscard={discard}
          />
        </div>
      </div>
      <SaveEnvDialog file={file} />
      {asked === 'load' && <LoadDialog onLoad={load} onClose={close} />}
      {asked === 'outbound' && pending && (
        <OutboundQuestion change={pending} testLine={config.test_line} onConfirm={apply} onClose={close} />
      )}
      {(asked === 'restart' || asked === 'save and restart') && (
        <RestartDialog
          saving={asked === 'restart' ? undefined : settings.patch}
          pending={pending}
          onRestarting={restart.dismiss}
          onClose={close}
        />
      )}
      <LeaveQuestion when={count > 0} title="Leave with unsaved changes?">
        <p>Your changes are not saved and will be lost.</p>
      </LeaveQuestion>
    </FormContext>
  )
}

interface FootProps {
  loading: boolean
  onRefresh: () => void
  onLoad: () => void
  onRestart: () => void
}

function FootActions({ loading, onRefresh, onLoad, onRestart }: FootProps) {
  const { config } = useSession()
  return (
    <div className={styles.buttons}>
      <Button busy={loading} onClick={onRefresh}>
        Refresh
      </Button>
      {config.allow_restart && <Button onClick={onRestart}>Restart API</Button>}
      <Button busy={loading} onClick={onLoad}>
        Load Settings
      </Button>
    </div>
  )
}

interface Props {
  file: EnvFile
  loading: boolean
  onLoad: () => void
  onRestart: () => void
}

/** What can be done with the settings as a whole. */
function HeadActions({ file, loading, onLoad, onRestart }: Props) {
  const { config } = useSession()
  return (
    <>
      <Button busy={loading} onClick={onLoad}>
        Load Settings
      </Button>
      <Button busy={file.load.busy} onClick={() => file.load.run(file.withSecrets)}>
        Export .env
      </Button>
      <Button busy={file.preview.busy} onClick={file.askToSave}>
        Save .env to server
      </Button>
      {config.allow_restart && <Button onClick={onRestart}>Save & Restart</Button>}
    </>
  )
}
