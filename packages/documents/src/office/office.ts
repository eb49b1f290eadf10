import { hash } from 'node:crypto'
import { mkdtemp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DocumentProblem } from '../base/problem.ts'
import { checkBytes, type Limits } from '../base/limits.ts'
import type { OfficeFormat } from '../kinds/office-format.ts'
import { nowhere, writeProfile } from './office-profile.ts'
import { type TurnLimits, Turns } from './turns.ts'
import { type Bounds, ProgramFailed, runBounded } from './run-bounded.ts'

/** An installed LibreOffice. */
export interface OfficeSetup {
  /** Path of `soffice`. */
  program: string
  /** A folder for what a run needs; each has one of its own in it, which is removed. */
  directory: string
  /** Whether the network is taken from it where this process may do that: always but in tests of what its profile does. */
  isolated?: boolean
  bounds?: Bounds
  turns?: TurnLimits
}

/** Lays out office documents, one after the other; few may wait. */
export interface Office {
  /** @throws {ProgramFailed}; {DocumentProblem} `too_large` for a PDF of more bytes than a document may have, `busy` */
  toPdf: (format: OfficeFormat, bytes: Uint8Array, limits: Limits) => Promise<Uint8Array>
}

const usualBounds: Bounds = { ms: 120_000, seconds: 90, memoryMb: 4096, fileMb: 200 }

/** Callers wait for an answer: nearly all of them have a minute. */
const usualTurns: TurnLimits = { waiting: 20, ms: 60_000 }

/** A document that is looked at before it is sent is laid out two or three times. */
const kept = { documents: 8, bytes: 64 * 1024 * 1024, ms: 15 * 60_000 }

const isolations: readonly (readonly string[])[] = [
  ['unshare', '-n'],
  ['unshare', '-r', '-n'],
]

const environmentIn = (folder: string): NodeJS.ProcessEnv => {
  const proxy = `http://${nowhere.host}:${nowhere.port}`
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: folder,
    TMPDIR: folder,
    LC_ALL: 'C.UTF-8',
    SAL_USE_VCLPLUGIN: 'svp',
    ...{ http_proxy: proxy, https_proxy: proxy, ftp_proxy: proxy, no_proxy: '' },
  }
}

/** The command that takes the network from a program; none where this process may not do that. */
async function findIsolation(folder: string): Promise<readonly string[]> {
  const environment = environmentIn(folder)
  for (const [program = '', ...parameters] of isolations) {
    const probe = { program, parameters: [...parameters, 'true'], environment, folder }
    const works = await runBounded(probe, { ...usualBounds, ms: 5000 }).then(
      () => true,
      () => false,
    )
    if (works) return [program, ...parameters]
  }
  return []
}

async function convert(
  { program, directory, bounds = usualBounds }: OfficeSetup,
  isolation: readonly string[],
  { ending, filter }: OfficeFormat,
  bytes: Uint8Array,
  limits: Limits,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(directory, 'office-'))
  try {
    const profile = join(folder, 'profile')
    const source = join(folder, `document.${ending}`)
    await writeProfile(profile)
    await writeFile(source, bytes, { mode: 0o600 })
    const switches = ['--headless', '--nologo', '--nodefault', '--norestore', '--nolockcheck', '--nofirststartwizard']
    const [first = '', ...parameters] = [
      ...[...isolation, program, ...switches, `-env:UserInstallation=${pathToFileURL(profile)}`],
      ...[`--infilter=${filter}`, '--convert-to', 'pdf', '--outdir', folder, source],
    ]
    await runBounded({ program: first, parameters, environment: environmentIn(folder), folder }, bounds)
    const made = join(folder, 'document.pdf')
    // It ends well, too, when it could not read the document.
    const { size } = await stat(made).catch(() => {
      throw new ProgramFailed('It made no PDF.')
    })
    checkBytes(size, limits)
    return await readFile(made)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** PDFs that were made a moment ago, the oldest first. */
class Shelf {
  readonly #made = new Map<string, { pdf: Promise<Uint8Array>; bytes: number; until: number }>()

  /** What was made under this name, or is being made. */
  get(name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    for (const [each, { until }] of this.#made) if (until < Date.now()) this.#made.delete(each)
    const found = this.#made.get(name)
    if (found) return found.pdf
    const entry = { pdf: make(), bytes: 0, until: Date.now() + kept.ms }
    this.#made.set(name, entry)
    entry.pdf.then(
      ({ length }) => {
        entry.bytes = length
        this.#makeRoom()
      },
      () => this.#made.delete(name),
    )
    return entry.pdf
  }

  #makeRoom(): void {
    let bytes = [...this.#made.values()].reduce((sum, each) => sum + each.bytes, 0)
    for (const [name, entry] of this.#made) {
      if (this.#made.size <= kept.documents && bytes <= kept.bytes) return
      bytes -= entry.bytes
      this.#made.delete(name)
    }
  }
}

/** LibreOffice as a program that is started for each document. */
export function createOffice(setup: OfficeSetup): Office {
  const shelf = new Shelf()
  let isolation: Promise<readonly string[]> | undefined
  const turns = new Turns(setup.turns ?? usualTurns)
  return {
    toPdf: (format, bytes, limits) =>
      shelf.get(hash('sha256', bytes), () =>
        turns.take(async () => {
          await mkdir(setup.directory, { recursive: true, mode: 0o700 })
          isolation ??= setup.isolated === false ? Promise.resolve([]) : findIsolation(setup.directory)
          return convert(setup, await isolation, format, bytes, limits)
        }),
      ),
  }
}

/** What only LibreOffice lays out is refused where it is not installed, or failed. */
export function requireOffice({ name }: OfficeFormat, failure?: ProgramFailed): DocumentProblem {
  if (failure?.tookTooLong) {
    return new DocumentProblem('too_slow', 'The document took too long to convert. Save it as PDF and send that.')
  }
  if (failure) {
    return new DocumentProblem(
      'broken',
      'LibreOffice cannot read this document: it may be damaged or protected with a password. Save it as PDF and send that.',
    )
  }
  return new DocumentProblem(
    'unsupported',
    `${name} can be faxed only where LibreOffice is installed beside the gateway. Save the document as PDF and send that.`,
  )
}
