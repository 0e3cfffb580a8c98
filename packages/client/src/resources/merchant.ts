import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import type { Listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import { type ChangedMerchant, type HistoryEntry, Merchant } from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

/** Who the merchant is, as customers see it in the environment of the key. */
export const merchantOf = (connection: Connection) => {
  const { ask } = connection
  return {
    retrieve: (options?: CallOptions): Promise<Merchant> =>
      ask({ method: 'GET', path: ['merchant'], answer: data(Merchant) }, options),
    update: (body: RequestBody<typeof ChangedMerchant>, options?: CommandOptions): Promise<Merchant> =>
      ask({ method: 'PUT', path: ['merchant'], body, answer: data(Merchant), isCommand: true }, options),
    /** What happened to the merchant, oldest first. */
    history: (query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['merchant', 'history'], query, options),
  }
}
