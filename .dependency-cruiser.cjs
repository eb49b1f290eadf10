// The import table of ARCHITECTURE.md, enforced. A rule's comment is what a person reads when it is broken.
const test = '\\.test\\.tsx?$'
const testOrTesting = `${test}|/testing/`
const ours = '^(packages|apps)/'
// Where running begins: programs, what a package exports, and the worker that is started by its address.
const entries = [
  '^apps/((gateway|cli)/src/main\\.ts|console/src/main\\.tsx)$',
  '^packages/[^/]+/src/(index|client|forms|phone|registry)\\.ts$',
  '^packages/provider-kit/src/conformance/conformance\\.ts$',
  '^packages/documents/src/worker/worker\\.ts$',
  '^packages/providers/src/[^/]+/emulator\\.ts$',
  '^(scripts|e2e|bench)/',
]

/** The floors of the gateway, from the ground. */
const floors = ['base', 'access', 'paper', 'fax', 'inbox', 'features']

/** A room of ours that may use, of all our rooms, only itself and the folders and files named. */
const room = (name, path, allowed, comment) => ({
  name: `${name}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${path}/` },
  to: { path: ours, pathNot: [path, ...allowed].map((place) => (place.endsWith('.ts') ? `^${place}$` : `^${place}/`)) },
})

const rooms = [
  room('contract', 'packages/contract', [], 'The contract imports nothing of ours.'),
  {
    name: 'contract-libraries',
    comment: 'The contract is read by browsers and other clients: zod is all it may use.',
    severity: 'error',
    from: { path: '^packages/contract/', pathNot: test },
    to: { pathNot: ['^packages/', '^node_modules/zod/'] },
  },
  room('settings', 'packages/settings', [], 'Settings import nothing of ours.'),
  room('documents', 'packages/documents', [], 'Documents import nothing of ours.'),
  room(
    'provider-kit',
    'packages/provider-kit',
    ['packages/settings', 'packages/contract/src/failure-kinds.ts'],
    'The provider kit builds on settings, and shares the kinds of failures with the contract.',
  ),
  room(
    'providers',
    'packages/providers',
    ['packages/provider-kit', 'packages/settings', 'packages/documents'],
    'A provider builds on the kit, settings and documents, and knows nothing of the contract and the apps.',
  ),
  {
    name: 'provider-by-itself',
    comment: 'A provider does not know another provider, nor the registry.',
    severity: 'error',
    from: { path: '^packages/providers/src/([^/]+)/', pathNot: '^packages/providers/src/trunk/' },
    to: { path: '^packages/providers/', pathNot: '^packages/providers/src/$1/' },
  },
  {
    name: 'trunk-builds-on-sip',
    comment: 'The managed line runs an Asterisk of its own, and speaks to it as to any other: decision 33.',
    severity: 'error',
    from: { path: '^packages/providers/src/trunk/' },
    to: { path: '^packages/providers/', pathNot: '^packages/providers/src/(trunk|sip)/' },
  },
  room(
    'cli',
    'apps/cli',
    ['packages/contract', 'packages/settings', 'packages/mcp-tools', 'apps/gateway/src/upkeep'],
    'The command line speaks to a gateway through the contract, and works on a data directory through upkeep/ alone.',
  ),
  room('mcp-tools', 'packages/mcp-tools', ['packages/contract'], 'What assistants may do are calls of the contract.'),
  room('sdk-node', 'packages/sdk-node', [], 'The client needs nothing: its types are written from the contract.'),
]

const gateway = [
  {
    ...room(
      'gateway',
      'apps/gateway',
      ['packages/(contract|settings|provider-kit|documents|mcp-tools)'],
      'The gateway builds on contract, settings, provider kit, documents and MCP tools; providers reach it through compose.ts.',
    ),
    from: { path: '^apps/gateway/', pathNot: ['^apps/gateway/src/compose\\.ts$', testOrTesting] },
  },
  {
    name: 'compose-knows-the-registry-only',
    comment: 'compose.ts takes providers from the registry, never by name.',
    severity: 'error',
    from: { path: '^apps/gateway/src/compose\\.ts$' },
    to: { path: '^(packages/(providers|sdk-node)|apps/console)/', pathNot: '^packages/providers/src/registry\\.ts$' },
  },
  ...floors.slice(1).map((floor, at) => ({
    name: `nothing-below-${floor}-knows-it`,
    comment: 'A floor of the gateway imports itself and the floors below: base, access, paper, fax, inbox, features.',
    severity: 'error',
    from: { path: `^apps/gateway/src/(${floors.slice(0, at + 1).join('|')})/`, pathNot: testOrTesting },
    to: { path: `^apps/gateway/src/${floor}/` },
  })),
  {
    name: 'below-what-puts-together',
    comment:
      'compose.ts, start/ and upkeep/ put the floors together; no floor reaches up to them. The import of another gateway is a program of its own, and needs the settings of all providers.',
    severity: 'error',
    from: {
      path: '^apps/gateway/src/[^/]+/',
      pathNot: [testOrTesting, '^apps/gateway/src/upkeep/import/old-settings\\.ts$'],
    },
    to: { path: '^apps/gateway/src/(main|compose|start/open-context)\\.ts$' },
  },
  {
    name: 'no-floor-knows-start-and-upkeep',
    comment: 'compose.ts, start/ and upkeep/ put the floors together; no floor reaches up to them.',
    severity: 'error',
    from: { path: `^apps/gateway/src/(${floors.join('|')})/`, pathNot: testOrTesting },
    to: { path: '^apps/gateway/src/(start|upkeep)/' },
  },
  {
    name: 'feature-by-itself',
    comment:
      'A feature knows no other: compose.ts hands it what it needs of one, and the moments of the context call it.',
    severity: 'error',
    from: { path: '^apps/gateway/src/features/([^/]+)/', pathNot: testOrTesting },
    to: { path: '^apps/gateway/src/features/', pathNot: '^apps/gateway/src/features/$1/' },
  },
  {
    name: 'a-store-is-its-room-s-own',
    comment: "A room uses another room's verbs, never its store.",
    severity: 'error',
    from: { path: `^apps/gateway/src/((?:${floors.join('|')})/[^/]+|start|upkeep)/`, pathNot: testOrTesting },
    to: { path: '^apps/gateway/src/.+/store(\\.|-|/)', pathNot: '^apps/gateway/src/$1/' },
  },
  {
    name: 'reading-changes-nothing',
    comment: 'What lists, shows or previews faxes neither accepts nor moves them.',
    severity: 'error',
    from: { path: '^apps/gateway/src/fax/(read|preview)/', pathNot: testOrTesting },
    to: {
      path: '^apps/gateway/src/fax/(accept/(accept|submit|resend)|move/(advance|ledger)|line/(work|deliver|poll|report))\\.ts$',
    },
  },
]

const consoleApp = [
  room(
    'console',
    'apps/console',
    ['packages/contract', 'packages/settings', 'packages/providers/src/[^/]+/traits\\.ts'],
    'Of ours, the console needs the contract and the types of settings; its demo what providers say they can do.',
  ),
  {
    name: 'console-takes-no-traits',
    comment: 'The console asks the gateway what a provider can do. Only the demo reads it from the source.',
    severity: 'error',
    from: { path: '^apps/console/', pathNot: [testOrTesting, '^apps/console/src/demo/'] },
    to: { path: '^packages/providers/' },
  },
  {
    name: 'console-takes-only-types-of-settings',
    comment:
      'The console uses settings with `import type`: their code stays out of the browser. Only the demo runs it.',
    severity: 'error',
    from: { path: '^apps/console/', pathNot: `${testOrTesting}|^apps/console/src/demo/` },
    to: { path: '^packages/settings/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'console-takes-no-schemas',
    comment:
      'The contract brings its schemas and the library behind them: the browser gets `import type`, and files without.',
    severity: 'error',
    from: { path: '^apps/console/src/', pathNot: [testOrTesting, '^apps/console/src/demo/'] },
    to: {
      path: '^packages/contract/',
      pathNot:
        '^packages/contract/src/(client|event-words|issued-keys|page-notes|permissions|phone|recipients|webhook-events)\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'demo-apart',
    comment: 'Only main.tsx leads to the demo, and only in a build made for it; tests use its fake handlers.',
    severity: 'error',
    from: { path: '^apps/', pathNot: [testOrTesting, '^apps/console/src/(demo/|main\\.tsx$)'] },
    to: { path: '^apps/console/src/demo/' },
  },
  {
    name: 'screen-by-itself',
    comment: 'A screen does not know another screen.',
    severity: 'error',
    from: { path: '^apps/console/src/screens/([^/]+)/' },
    to: { path: '^apps/console/src/screens/', pathNot: '^apps/console/src/screens/$1/' },
  },
  {
    name: 'screen-imports',
    comment: 'A screen is made of ui/, api/ and session/.',
    severity: 'error',
    from: { path: '^apps/console/src/screens/', pathNot: testOrTesting },
    to: { path: '^apps/console/src/', pathNot: '^apps/console/src/(screens|ui|api|session)/' },
  },
  {
    name: 'ui-knows-no-call',
    comment: 'Pieces in ui/ know neither a screen nor a call.',
    severity: 'error',
    from: { path: '^apps/console/src/ui/', pathNot: testOrTesting },
    to: { path: '^apps/console/src/', pathNot: '^apps/console/src/ui/' },
  },
  {
    name: 'ui-takes-only-types-of-the-contract',
    comment: 'Pieces in ui/ use the contract with `import type`.',
    severity: 'error',
    from: { path: '^apps/console/src/ui/', pathNot: testOrTesting },
    to: { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
  },
]

const everywhere = [
  {
    name: 'no-circle',
    comment: 'Two files that need each other are one file, or lack a third.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'The imported file or package is not there.',
    severity: 'error',
    from: {},
    // virtual: modules are written by the console's build.
    to: { couldNotResolve: true, pathNot: '^virtual:' },
  },
  {
    name: 'declared',
    comment: 'A package that is imported is named in package.json.',
    severity: 'error',
    // Benchmarks compare with the libraries that the rooms declare.
    from: { pathNot: '^bench/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-test-tools-in-the-product',
    comment: 'Only tests, configuration, the demo and the conformance suite use development dependencies.',
    severity: 'error',
    from: {
      path: '^(packages|apps)/[^/]+/src/',
      pathNot: [testOrTesting, '^packages/provider-kit/src/conformance', '^apps/console/src/demo/'],
    },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
  },
  {
    name: 'no-dead-file',
    comment: 'Nothing that runs leads to this file; at most its own test does.',
    severity: 'error',
    from: { path: entries },
    to: { path: '^(packages|apps)/[^/]+/src/', pathNot: [...entries, testOrTesting, '\\.d\\.ts$'], reachable: false },
  },
  {
    name: 'testing-is-for-tests',
    comment: 'What is in testing/ serves tests only.',
    severity: 'error',
    from: { path: '^(packages|apps)/', pathNot: testOrTesting },
    to: { path: '/testing/' },
  },
]

module.exports = {
  forbidden: [...rooms, ...gateway, ...consoleApp, ...everywhere],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|apps)/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json'],
    },
  },
}
