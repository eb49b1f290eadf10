import { choicesOf, settingRows } from '../row.ts'

/** Whether a name is one of the IANA time zone database; offsets such as "+02:00" know no summer time. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** What is on, what a page looks like, and how received faxes are kept. */
export const featureRows = settingRows({ group: 'advanced', at: 'pages' }, [
  {
    type: 'switch',
    key: 'feature_v3_plugins',
    opensAccess: true,
    at: 'features.v3_plugins',
    group: 'features',
    label: 'Plugins',
    help: 'HTTP manifests as providers, and the Plugins screen.',
    default: false,
  },
  {
    type: 'switch',
    key: 'feature_plugin_install',
    opensAccess: true,
    at: 'features.plugin_install',
    group: 'features',
    label: 'Remote plugin install',
    help: 'Installing plugins from the registry.',
    default: false,
    lockedInForms: true,
  },
  {
    type: 'switch',
    key: 'enable_admin_exec',
    opensAccess: true,
    at: 'features.admin_exec',
    group: 'features',
    label: 'Actions',
    help: 'Fixed commands that inspect this machine, on the Scripts & Tests screen. They change nothing.',
    default: false,
  },
  {
    type: 'switch',
    key: 'feature_loopback_plugins',
    group: 'features',
    environmentOnly: true,
    label: 'Plugins on this machine',
    help: 'Lets manifests connect to 127.0.0.1 and localhost, even without HTTPS. For testing only.',
    default: false,
  },
  {
    type: 'text',
    key: 'default_country',
    at: 'backend.default_country',
    label: 'Country',
    help: 'Two-letter code, used for numbers entered without a country code.',
    default: 'US',
    check: (value) => (/^[A-Z]{2}$/.test(value) ? undefined : 'Enter a country code of two capital letters.'),
  },
  {
    type: 'choice',
    key: 'fax_paper',
    at: 'pages.paper',
    label: 'Paper',
    help: 'The paper that text and images are laid out on.',
    default: 'letter',
    choices: choicesOf({ letter: 'Letter', a4: 'A4' }),
  },
  {
    type: 'choice',
    key: 'fax_long_pages',
    at: 'pages.long_pages',
    label: 'Pages longer than 14 inches',
    help: 'Several sheets overlap by half an inch and print on every machine. One long page is not split, but some machines stop at the end of their paper.',
    default: 'split',
    choices: choicesOf({ split: 'Several sheets', whole: 'One long page' }),
  },
  {
    type: 'text',
    key: 'fax_fonts',
    at: 'pages.fonts',
    label: 'Font folder',
    help: 'TrueType and OpenType fonts for scripts that the bundled fonts lack, such as Chinese, Japanese and Korean. Leave blank to use the system’s font folders.',
    default: '',
    check: (value) =>
      value === '' || /^(\/|[A-Za-z]:\\)/.test(value) ? undefined : 'It must be the full path of a folder.',
  },
  {
    type: 'text',
    key: 'libreoffice_program',
    label: 'LibreOffice',
    help: 'Full path of soffice, which converts office documents. Leave blank to find it automatically. Enter off to turn it off.',
    default: '',
    environmentOnly: true,
    check: (value) =>
      value === '' || value === 'off' || value.startsWith('/')
        ? undefined
        : 'It must be the full path of a program, or off.',
  },
  {
    type: 'choice',
    key: 'fax_resolution',
    at: 'pages.resolution',
    label: 'Resolution',
    help: 'Fine keeps small print legible and takes about twice as long as standard.',
    default: 'fine',
    choices: choicesOf({ fine: 'Fine, 204 × 196', standard: 'Standard, 204 × 98' }),
  },
  {
    type: 'switch',
    key: 'fax_header_line',
    at: 'pages.header_line',
    label: 'Header line',
    help: 'Date, sender, number and page at the top of every page that Faxdeck renders, as required in the United States. Cloud providers print their own; Phaxio and Sinch receive the sender name.',
    default: true,
  },
  {
    type: 'choice',
    key: 'fax_cover',
    at: 'pages.cover',
    label: 'Cover page',
    help: 'Added to every fax that does not choose a cover page. Each fax can choose another, or none.',
    default: 'none',
    choices: choicesOf({ none: 'None', plain: 'Plain', formal: 'Formal', confidential: 'Confidential' }),
  },
  {
    type: 'text',
    key: 'fax_header',
    at: 'sip.header',
    label: 'Header line: sender',
    help: 'The name on the header line, and on cover pages that name no sender. Up to 50 characters.',
    placeholder: 'Example Clinic',
    check: (value) => (value.length > 50 ? 'Enter up to 50 characters.' : undefined),
  },
  {
    type: 'text',
    key: 'fax_header_number',
    at: 'pages.header_number',
    label: 'Header line: number',
    help: 'Your fax number on the header line and on cover pages. A station ID or caller ID set for a telephone switch takes precedence.',
    placeholder: '+15551234567',
    check: (value) => (/^[+\d() .-]{3,25}$/.test(value) ? undefined : 'Write a fax number, for example +15551234567.'),
  },
  {
    type: 'text',
    key: 'time_zone',
    at: 'pages.time_zone',
    label: 'Time zone',
    help: 'Of the dates on cover pages, header lines and transmission reports. Leave blank for the time zone of this computer, which is often UTC on a server.',
    placeholder: 'America/New_York',
    check: (value) => (isTimeZone(value) ? undefined : 'Write a time zone such as America/New_York or Europe/Berlin.'),
  },
  {
    type: 'switch',
    key: 'fax_text',
    at: 'pages.text',
    label: 'Read the text of faxes',
    help: 'Makes the words on sent and received pages searchable. The text stays in the database and is deleted with its document. Scanned pages take a few seconds of processor time each, at the lowest priority.',
    default: true,
  },
  {
    type: 'text',
    key: 'fax_text_languages',
    at: 'pages.text_languages',
    label: 'Languages of scanned pages',
    help: 'The languages to recognize, for example "eng, deu". English is included; add others with npm install @tesseract.js-data/deu. Each language makes reading slower.',
    default: 'eng',
    onlyWhen: { key: 'fax_text', is: 'true' },
    check: (value) =>
      /^[a-z_]{3,12}([\s,+]+[a-z_]{3,12}){0,4}$/i.test(value.trim())
        ? undefined
        : 'Enter up to five language codes of three letters, for example "eng, deu".',
  },
  {
    type: 'switch',
    key: 'inbound_enabled',
    at: 'inbound.enabled',
    group: 'inbound',
    label: 'Receive faxes',
    help: 'Opens the callback URLs for the inbound provider.',
    default: false,
  },
  {
    type: 'number',
    key: 'inbound_retention_days',
    at: 'inbound.retention_days',
    group: 'inbound',
    label: 'Keep received documents (days)',
    help: 'Received documents are deleted after this many days; their details remain. Enter 0 to keep them.',
    default: 30,
    min: 0,
    max: 36_500,
  },
])
