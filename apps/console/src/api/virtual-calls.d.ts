declare module 'virtual:calls' {
  import type { WireCalls } from '@faxdeck/contract/client'
  export const calls: WireCalls
}
