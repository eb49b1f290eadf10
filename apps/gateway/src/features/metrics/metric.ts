/** One metric of `/metrics`, its name without the prefix. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge'
  /** Given where there may be no sample: one without labels would be written as 0 then. */
  labelNames?: string[]
  samples: readonly { labels: Record<string, string>; value: number }[]
}

export const counter = (name: string, samples: Metric['samples'], help: string): Metric => {
  return { name, help, type: 'counter', samples }
}
export const gauge = (name: string, samples: Metric['samples'], help: string): Metric => {
  return { name, help, type: 'gauge', samples }
}

/** Each value with its name as a label. */
export const labeled = (counts: ReadonlyMap<string, number>, label: string): Metric['samples'] =>
  [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))

export const unlabeled = (value: number) => [{ labels: {}, value }]
