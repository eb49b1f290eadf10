import { traitsOf } from '@faxdeck/provider-kit/traits'

export const trunkTraits = traitsOf({
  requires_pages: true,
})
