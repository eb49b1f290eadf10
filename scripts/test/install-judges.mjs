import { existsSync } from 'node:fs'
import { findBrowser, findProgram } from '../find-browser.mjs'
import { runQuietly } from '../run-child.mjs'
import { findFaketime } from './find-faketime.mjs'

/** Programs that tests use and Faxdeck itself does not: a real browser, and independent readers of what it writes. */
const judges = [
  { packages: ['chromium'], find: findBrowser, without: 'the browser tests are skipped' },
  {
    packages: ['ghostscript'],
    find: () => findProgram('gs'),
    without: 'tests that compare with Ghostscript are skipped',
  },
  {
    packages: ['libtiff-tools'],
    find: () => findProgram('tiffinfo'),
    without: 'tests that read our TIFF with libtiff are skipped',
  },
  {
    packages: ['poppler-utils'],
    find: () => findProgram('pdftoppm'),
    without: 'tests that read our PDF with poppler are skipped',
  },
  {
    packages: ['fonts-droid-fallback'],
    find: () => existsSync('/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf'),
    without: 'texts in Chinese and Japanese are only tested with a made font',
  },
  {
    packages: ['wabt'],
    find: () => findProgram('wat2wasm'),
    without: 'whether the WebAssembly code is that of its source is not tested',
  },
  {
    packages: ['zint', 'zbar-tools'],
    find: () => findProgram('zint') && findProgram('zbarimg'),
    without: 'barcodes of another encoder are not read in tests',
  },
  {
    packages: ['libfaketime'],
    find: findFaketime,
    without: 'no clock is set wrong in the campaigns of the long run',
  },
  { packages: ['zsh'], find: () => findProgram('zsh'), without: 'what completes commands in zsh is not tested' },
  {
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'],
    find: () => findProgram('swift-object-server') && findProgram('memcached'),
    without: 'documents in S3 are not tested against a real server',
  },
  {
    packages: ['firefox-esr'],
    find: () => findProgram('firefox-esr'),
    without: 'the console is not tested in Firefox',
    isForLong: true,
  },
  {
    packages: ['webkit2gtk-driver', 'xvfb'],
    find: () => findProgram('WebKitWebDriver') && findProgram('Xvfb'),
    without: 'the console is not tested in WebKit',
    isForLong: true,
  },
]

/**
 * Installs the judges that are missing, where this user can (root with apt), and says what goes untested without the others.
 * @param {string} cwd
 * @param {boolean} long whether those of the long run alone are wanted too
 */
export async function installJudges(cwd, long) {
  const unusableChoice = Boolean(process.env.CHROME_PATH) && !findBrowser()
  if (unusableChoice) console.log('CHROME_PATH names no program that can be run, so the browser tests are skipped.')
  const wanted = judges.filter(({ isForLong = false }) => long || !isForLong)
  const missing = wanted.filter(({ find }) => !find() && !(unusableChoice && find === findBrowser))
  if (missing.length > 0 && process.getuid?.() === 0 && findProgram('apt-get')) await installWithApt(missing, cwd)
  for (const { packages, find, without } of missing) {
    if (!find()) console.log(`${packages[0]} is not installed and cannot be installed here, so ${without}.`)
  }
}

async function installWithApt(missing, cwd) {
  console.log(`Installing ${missing.map((judge) => judge.packages[0]).join(', ')} for the tests…`)
  const apt = (...args) =>
    runQuietly('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      cwd,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  await apt('update')
  const install = (chosen) => apt('install', '--no-install-recommends', ...chosen.flatMap(({ packages }) => packages))
  const { code } = await install(missing)
  // A package that this system does not have must not keep the others away.
  if (code !== 0) for (const judge of missing) await install([judge])
}
