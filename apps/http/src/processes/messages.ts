import * as t from 'io-ts'

/** What a sibling tells the main process each second, and first when it can answer: the times of its requests so far. */
export const Told = t.strict({ requests: t.UnknownArray })
export type Told = t.TypeOf<typeof Told>

/** What the main process tells a sibling: to answer the connection that comes along, or to end in order. */
export const Order = t.union([t.literal('answer'), t.literal('stop')])
export type Order = t.TypeOf<typeof Order>

/** Where a sibling finds the main process. */
export type MainProcess = {
  readonly url: string
  readonly metricsUrl: string
}
