/** The public address that a gateway has until somebody names one. */
export const unnamedPublicUrl = 'http://localhost:8080'

/** Where this gateway is reached: the address that was named, else this machine at the port it listens on. */
export function publicUrlOf(values: { public_api_url: string; port: number }): string {
  const { public_api_url: named, port } = values
  const isNamed = named !== unnamedPublicUrl || port === 0
  return (isNamed ? named : `http://localhost:${port}`).replace(/\/+$/, '')
}
