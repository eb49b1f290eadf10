declare module '@tabler/icons-react/dist/esm/icons/*' {
  import type { Icon } from '@tabler/icons-react'
  const icon: Icon
  export = icon
}
