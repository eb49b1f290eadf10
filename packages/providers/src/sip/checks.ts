import { type Check, hasValue, needsSettings, passwordIsOwn, sessionChecks, settingIsSet } from '@faxdeck/provider-kit'
import { openAmi } from './ami-session.ts'
import { askVariable, reachesDialplan, tryFolder } from './check-folder.ts'
import { shippedPassword } from './settings.ts'

/** What the shipped faxdeck.conf says of itself; raised when a change of it reports more than before. */
export const shippedDialplan = '6'

const { signsIn, shows } = sessionChecks('ami_host', (settings, signal) => openAmi(settings, signal))

export const sipChecks: readonly Check[] = [
  settingIsSet('ami_host', {
    name: 'ami_host_set',
    hint: 'The AMI host is not set: name the machine that Asterisk runs on.',
  }),
  passwordIsOwn('ami_password', shippedPassword, {
    name: 'ami_password_not_default',
    hint: 'The AMI password is the default one that anybody can read: change it in manager.conf and here.',
  }),
  {
    name: 'ami_reachable',
    severity: 'critical',
    hint: 'Asterisk cannot be used over AMI: check host, port, user and password, and that manager.conf permits this machine.',
    setting: 'ami_host',
    run: signsIn,
  },
  {
    name: 'ami_may_dial',
    severity: 'critical',
    hint: 'The AMI user may not place calls: give its section in manager.conf "write = originate,call" and reload the manager.',
    setting: 'ami_username',
    // A call without a channel is refused in any case; whether for want of the right or of the channel is what counts.
    run: shows(async (session, _settings, signal) => {
      const answer = await session.ask('Originate', [], signal)
      return !/permission/i.test(answer.get('message') ?? '')
    }),
  },
  {
    name: 'dialplan_current',
    severity: 'warning',
    hint: 'Asterisk has no faxdeck.conf, or one of an older Faxdeck, which reports less about its calls: copy the current one, write your values at its top, and run "dialplan reload".',
    setting: 'ami_host',
    // Without a channel, it is a global variable that is asked for.
    run: shows(async (session, _settings, signal) => {
      const version = await askVariable(session, 'FAXDECK_DIALPLAN', signal)
      return version === undefined ? undefined : version === shippedDialplan
    }),
  },
  {
    name: 'folder_usable',
    severity: 'critical',
    hint: 'Asterisk cannot use the folder it shares with Faxdeck: see that FAXDECK_DIR in faxdeck.conf is that folder, and that the user Asterisk runs as may read and write there.',
    setting: 'ami_host',
    run: (settings, host, signal) =>
      hasValue(settings, 'ami_host') ? tryFolder(settings, host.directory, signal) : needsSettings,
  },
  {
    name: 'numbers_arrive',
    severity: 'warning',
    hint: 'Calls to your fax number in the form +15551234567 are turned away: send them to the dialplan with "exten => _[+0-9]!,1,Goto(faxdeck-in,${EXTEN},1)" in the context of your trunk, because "_X." does not match a plus.',
    setting: 'fax_station_id',
    inbound: true,
    run: shows(reachesDialplan),
  },
  settingIsSet('fax_station_id', {
    name: 'station_id_set',
    severity: 'warning',
    hint: 'The station id is not set, so called machines see no number: write your fax number in E.164 form.',
  }),
  {
    ...settingIsSet('asterisk_inbound_secret', {
      name: 'asterisk_secret_set',
      hint: 'Asterisk cannot deliver received faxes without the internal secret: generate one, and put it into the dialplan.',
    }),
    inbound: true,
  },
]
