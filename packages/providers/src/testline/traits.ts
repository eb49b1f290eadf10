import { traitsOf } from '@faxdeck/provider-kit/traits'

export const testlineTraits = traitsOf({
  requires_pages: true,
})
