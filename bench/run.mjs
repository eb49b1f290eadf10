import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Problem, runScript } from '../scripts/problem.mjs'
import { repositoryRoot } from '../scripts/repository.mjs'
import { prepareCheckout } from '../scripts/setup/prepare-checkout.mjs'
import { compare, drivers } from './beside.mjs'

/** Every bench: a program beside this one that prints Markdown and ends by itself. */
const benches = [
  'submit',
  'health-status',
  'jobs-list',
  'search',
  'documents',
  'searchable',
  'console',
  'live',
  'memory',
  'providers',
  'executed',
  'rush',
]
const readme = join(repositoryRoot, 'bench/README.md')

await runScript(async () => {
  const options = { beside: { type: 'string' }, rounds: { type: 'string', default: '3' } }
  const { values, positionals: asked } = parseArgs({ options, allowPositionals: true })
  const unknown = asked.find((name) => !benches.includes(name))
  if (unknown) throw new Problem(`There is no bench "${unknown}". There are: ${benches.join(', ')}.`)
  const node = await prepareCheckout(repositoryRoot)
  if (values.beside !== undefined) {
    const fixed = asked.find((name) => !drivers.includes(name))
    if (fixed) throw new Problem(`"${fixed}" measures these sources. Beside a commit there are: ${drivers.join(', ')}.`)
    const names = asked.length > 0 ? asked : ['submit']
    await compare(values.beside, names, Number(values.rounds), (name, env) => run(node, programOf(name), env))
    return 0
  }
  let failed = 0
  for (const name of asked.length > 0 ? asked : benches) {
    console.log(`\n## ${name}\n`)
    const { code, output } = await run(node, programOf(name))
    if (code === 0) keep(name, output.trim(), machine(node))
    else failed += 1
  }
  if (failed > 0) console.log(`${failed} failed; their figures in bench/README.md are the earlier ones.`)
  return failed > 0 ? 1 : 0
})

function programOf(name) {
  const program = ['ts', 'mjs'].map((ending) => join(repositoryRoot, `bench/${name}.${ending}`)).find(existsSync)
  if (!program) throw new Problem(`The bench "${name}" has no program in bench/.`)
  return program
}

/** Shows what the program prints while it runs, and answers it. */
async function run(node, program, env = {}) {
  const stdio = ['ignore', 'pipe', 'inherit']
  const child = spawn(node, [program], { cwd: repositoryRoot, env: { ...process.env, ...env }, stdio })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    process.stdout.write(text)
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Replaces the figures of one bench in the README, with the day and the machine. */
function keep(name, output, machine) {
  const [begin, end] = [`<!-- figures of ${name} -->`, `<!-- end of ${name} -->`]
  const text = readFileSync(readme, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Problem(`bench/README.md lacks the lines ${begin} and ${end}.`)
  const figures = `${begin}\n\n${output}\n\n_${new Date().toISOString().slice(0, 10)}, ${machine}_\n\n`
  writeFileSync(readme, text.slice(0, from) + figures + text.slice(to))
}

function machine(node) {
  const [first] = cpus()
  const cores = `${cpus().length} cores (${first?.model.trim() ?? 'unknown'})`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`
  return `${cores}, ${memory}, ${process.platform}, Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`
}
