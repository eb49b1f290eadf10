/**
 * What a proxy puts before every path of the gateway: "" or "/faxdeck". The console itself lies under `/admin-demo/`.
 */
export const gatewayRoot = /^(.*)\/admin-demo\//.exec(location.pathname)?.[1] ?? ''

/** The gateway's address as this browser knows it: "https://example.org/faxdeck". */
export const gatewayAddress = location.origin + gatewayRoot
