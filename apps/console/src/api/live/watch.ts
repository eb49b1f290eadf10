/** How often each thing on the screen is asked for again, in milliseconds. */
export const watch = {
  dashboard: 5_000,
  jobs: 10_000,
  inbox: 15_000,
  job: 2_000,
  logs: 2_000,
  webhooks: 10_000,
} as const
