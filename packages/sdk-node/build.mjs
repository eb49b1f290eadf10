import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')

rmSync(`${here}dist`, { recursive: true, force: true })
for (const project of ['tsconfig.build.json', 'tsconfig.commonjs.json'])
  execFileSync(process.execPath, [compiler, '-p', project], { cwd: here, stdio: 'inherit' })
// What a file of a folder is, an import or a require, its package.json says.
writeFileSync(`${here}dist/cjs/package.json`, '{ "type": "commonjs" }\n')
