import type { UserConfig } from 'vite'

/** Where the console is served; also the base of everything it loads lazily. */
export const base = '/admin-demo/'

/** The file of what several screens share beyond the first view. */
export const sharedName = 'shared'

/** How the console is bundled, for the gateway and for the demo. */
export const bundle = {
  target: 'es2023',
  // Everything is a file of our own origin, so that the content security policy needs no data: addresses.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  sourcemap: false,
  rolldownOptions: {
    // Compressing takes longer than bundling, and should.
    checks: { bundlerTimings: false },
    // What the first view needs is one file of script and one of style; what three or more
    // other screens share is another, which is loaded ahead; what two share comes with the first of them.
    output: {
      codeSplitting: {
        groups: [
          { name: 'console', tags: ['$initial'] },
          { name: sharedName, minShareCount: 3 },
        ],
      },
    },
  },
} satisfies UserConfig['build']
