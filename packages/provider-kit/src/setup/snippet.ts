/** Lines for the operator's own telephone switch, ready to be pasted. */
export interface Snippet {
  /** "Inbound dialplan". */
  title: string
  /** In a sentence or two: where it belongs, what else it needs, what is to be replaced. */
  where: string
  /** `{base_url}` stands for the address of the gateway, which is filled in where it is shown. */
  code: string
}
