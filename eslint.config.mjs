import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

const typescript = ['**/*.ts', '**/*.tsx']
const scripts = ['**/*.mjs', '**/*.cjs']
const product = ['packages/**/*.{ts,tsx}', 'apps/**/*.{ts,tsx}']
const tests = ['**/*.test.{ts,tsx}', '**/testing/**', 'e2e/**', 'scripts/vitest/**']
const configs = ['*.config.{ts,mjs}', 'apps/*/*.config.{ts,mjs}', 'packaging/*/*.config.mjs', '*.cjs']

const noDefaultExport = 'Export by name: a default export is called something else in every file that imports it.'
const namedExports = [
  { selector: 'ExportDefaultDeclaration', message: noDefaultExport },
  { selector: 'ExportSpecifier[exported.name="default"]', message: noDefaultExport },
]
const wholeFileNames = {
  selector:
    ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration)[source.value=/^\\.(?!.*\\.\\w+$)/]',
  message: 'Name the file with its ending: "./page.ts".',
}
const noEnvironment = {
  object: 'process',
  property: 'env',
  message: 'Only main.ts reads the environment; take the setting as a parameter.',
}
const noGlobalFetch = 'A provider speaks to the world through host.fetch, which the gateway guards and bounds.'
const nodeGlobals = Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']))

export default defineConfig([
  globalIgnores(['**/dist/', '**/node_modules/', '**/coverage/', 'faxdata/', '.cache/', '**/mockServiceWorker.js']),
  // Rules are answered in the code: nothing in a file may switch one off.
  { linterOptions: { noInlineConfig: true } },
  js.configs.recommended,
  { files: scripts, languageOptions: { globals: { ...nodeGlobals, module: 'readonly' } } },
  {
    files: typescript,
    // Rules that need types are those of .oxlintrc.json: here they took two thirds of the whole check.
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: [...typescript, ...scripts],
    ignores: configs,
    rules: {
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...namedExports, wholeFileNames],
    },
  },
  {
    files: ['**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }] },
  },
  { files: ['apps/console/**/*.{ts,tsx}'], extends: [reactHooks.configs.flat['recommended-latest']] },
  {
    files: product,
    rules: {
      'no-console': 'error',
      'no-restricted-properties': ['error', noEnvironment],
      'no-restricted-imports': [
        'error',
        { name: 'node:process', importNames: ['env'], message: noEnvironment.message },
      ],
    },
  },
  {
    files: ['packages/providers/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: noGlobalFetch }],
      'no-restricted-properties': [
        'error',
        noEnvironment,
        { object: 'globalThis', property: 'fetch', message: noGlobalFetch },
      ],
    },
  },
  // Pixel and code-table loops index typed arrays within bounds they have computed.
  { files: ['packages/documents/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  {
    files: ['apps/{gateway,cli}/src/main.ts', 'packages/sdk-node/src/environment.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['apps/gateway/src/main.ts'], rules: { 'no-console': 'off' } },
  {
    files: tests,
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
    },
  },
])
