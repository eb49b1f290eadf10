/** Whether an address leads to this machine alone, so that nobody outside can follow it. */
export function isLoopbackUrl(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return /^(.*\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$|^0\.0\.0\.0$/.test(host)
}
