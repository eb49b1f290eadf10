import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tls from 'node:tls'
import { onTestFinished } from 'vitest'

interface Certificate {
  key: string
  cert: string
}

interface Wish {
  /** What it is for: `IP:127.0.0.1`, `DNS:fax.example.test`. */
  name: string
  /** `20200101000000Z`; the present day when absent. */
  until?: string
}

/** Whether certificates can be made here. */
export function findOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
}

const config = `[ca]
default_ca = own
[own]
dir = .
new_certs_dir = .
database = index.txt
serial = serial
certificate = ca.crt
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
`
const keys = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** An authority that this test trusts, and what it signs. */
export function trustAuthority(): { issue: (wish: Wish) => Certificate; selfSigned: (wish: Wish) => Certificate } {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-ca-'))
  const before = tls.getCACertificates('default')
  onTestFinished(() => {
    tls.setDefaultCACertificates(before)
    rmSync(folder, { recursive: true, force: true })
  })
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  writeFileSync(join(folder, 'ca.cnf'), config)
  writeFileSync(join(folder, 'index.txt'), '')
  writeFileSync(join(folder, 'serial'), '01\n')
  openssl('req', '-x509', ...keys, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '30', '-subj', '/CN=Test authority')
  tls.setDefaultCACertificates([...before, read('ca.crt')])
  const subject = ({ name }: Wish) => ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`]
  return {
    issue: (wish) => {
      openssl('req', ...keys, '-keyout', 'own.key', '-out', 'own.csr', ...subject(wish))
      const dates =
        wish.until === undefined ? ['-days', '30'] : ['-startdate', '20190101000000Z', '-enddate', wish.until]
      openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', '-in', 'own.csr', '-out', 'own.crt', ...dates)
      return { key: read('own.key'), cert: read('own.crt') }
    },
    selfSigned: (wish) => {
      openssl('req', '-x509', ...keys, '-keyout', 'self.key', '-out', 'self.crt', '-days', '30', ...subject(wish))
      return { key: read('self.key'), cert: read('self.crt') }
    },
  }
}
