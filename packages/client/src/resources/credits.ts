import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import { type Consumption, CreditBalance, CreditTransaction, type HistoryEntry } from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

/** A customer's credits of a metered product. */
export const creditsOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(CreditBalance)
  const at = (customerId: string, productId: string) => ['customers', customerId, 'credits', productId]
  return {
    retrieve: (customerId: string, productId: string, options?: CallOptions): Promise<CreditBalance> =>
      ask({ method: 'GET', path: at(customerId, productId), answer }, options),
    /**
     * Answers the balance after consuming; rejects with `insufficient_credits`, and consumes nothing, when it is too
     * low.
     */
    consume: (
      customerId: string,
      productId: string,
      body: RequestBody<typeof Consumption>,
      options?: CommandOptions,
    ): Promise<CreditBalance> =>
      ask({ method: 'POST', path: [...at(customerId, productId), 'consume'], body, answer, isCommand: true }, options),
    /** What happened to the books, oldest first. */
    history: (
      customerId: string,
      productId: string,
      query?: HistoryQuery,
      options?: CallOptions,
    ): Listing<HistoryEntry> => historyAt(connection, [...at(customerId, productId), 'history'], query, options),
    transactions: (
      customerId: string,
      productId: string,
      query: ListQuery = {},
      options?: CallOptions,
    ): Listing<CreditTransaction> =>
      listing(connection, [...at(customerId, productId), 'transactions'], CreditTransaction, query, options),
  }
}
