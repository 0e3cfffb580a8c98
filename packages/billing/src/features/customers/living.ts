import { type CustomerRow, customers, type Found, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type CommandContext, doneIn } from '../../kernel/execute.ts'
import { isIn, keptRows, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

export type CustomerNotFound = { readonly _tag: 'CustomerNotFound' }
type Outcome<A> = Promise<E.Either<StoreUnavailable | CustomerNotFound, A>>
type Living = { readonly found: Found<CustomerRow>; readonly stream: string; readonly revision: bigint }

/** A customer that is not deleted. A repeated command gets the customer as its first run left it. */
export const livingCustomer = async (
  services: Pick<Services, 'store'>,
  by: Scope | CommandContext,
  id: string,
): Outcome<Found<CustomerRow>> => {
  const customer = await living(services, by, id)
  return E.isLeft(customer) ? customer : E.right(customer.right.found)
}

/** As `livingCustomer`, for a command that writes no event: a repetition gets the customer as found the first time. */
export const customerToAnswerFrom = async (
  services: Pick<Services, 'store'>,
  context: CommandContext,
  id: string,
): Outcome<Found<CustomerRow>> => {
  const customer = await living(services, context, id)
  if (E.isLeft(customer)) return customer
  const { found, stream, revision } = customer.right
  context.answerFrom?.({ commandId: context.commandId, stream, revision })
  return E.right(found)
}

const rowOf = keptRows(customers)

const living = async ({ store }: Pick<Services, 'store'>, by: Scope | CommandContext, id: string): Outcome<Living> => {
  const stream = `${customers.category}-${id}`
  const slice = await store.readStream(stream)()
  if (E.isLeft(slice)) return slice
  const history = slice.right.events
  const events = ('commandId' in by ? doneIn(by, stream, history) : null) ?? history
  const found = rowOf(id, events)
  if (O.isNone(found) || !isIn(by, found.value) || found.value.row.status !== 'living')
    return E.left({ _tag: 'CustomerNotFound' })
  return E.right({ found: found.value, stream, revision: events.at(-1)?.revision ?? -1n })
}
