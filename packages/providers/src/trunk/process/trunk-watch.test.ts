import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { expect, it } from 'vitest'
import { madeManager } from '../testing/made-manager.ts'
import { KeeperSession } from './keeper-session.ts'
import { drawAccess } from './places.ts'
import { freeBytes, TrunkWatch } from './trunk-watch.ts'

it('no call is taken while the disk is nearly full, and calls are taken again afterwards', async () => {
  const folder = await freshFolder()
  const access = await drawAccess(folder)
  const commands: string[] = []
  await madeManager(access.port, (command) => {
    if (command !== '') commands.push(command)
  })
  const { log, warnings } = new RecordingHost(folder)
  const session = await KeeperSession.open(access, AbortSignal.timeout(5000))
  let free = 0
  const watch = new TrunkWatch(session, access, log, async () => free)
  await watch.look(['main'])
  await watch.look(['main'])
  expect(commands).toEqual(['dialplan set global FAXDECK_FULL 1'])
  expect(warnings).toEqual(['The disk is nearly full: incoming calls are answered as busy.'])
  free = 10 ** 9
  await watch.look(['main'])
  expect(commands.slice(1)).toEqual(['dialplan set global FAXDECK_FULL 0'])
  watch.end()
  expect(await freeBytes(folder)).toBeGreaterThan(0)
})
