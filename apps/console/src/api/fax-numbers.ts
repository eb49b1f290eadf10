import { client } from './client.ts'

/** The numbers of a fax that can be shown in full: where a sent one went, where a received one came from and went. */
const asked = {
  sent: async (id: string) => (await client.showJobNumber({ params: { id } })).to_number,
  fr: async (id: string) => (await client.showInboundNumbers({ params: { id } })).fr,
  to: async (id: string) => (await client.showInboundNumbers({ params: { id } })).to,
}
export type NumberSide = keyof typeof asked

/** A number in full. The gateway records who asked. */
export const askNumber = (side: NumberSide, id: string): Promise<string | null> => asked[side](id)
