import type { RecordedEvent } from '@quittance/domain'
import { type CustomerRow, customers, type Found, type Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, doneIn } from '../../kernel/execute.ts'
import { isIn, keptRows, orNotFound, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

export type CustomerNotFound = { readonly _tag: 'CustomerNotFound' }

/** A customer who is not deleted or, for a command that is repeated, was not when it left the customer. */
export const livingCustomer =
  (services: Services) =>
  (by: Scope | CommandContext, id: string): TE.TaskEither<StoreUnavailable | CustomerNotFound, Found<CustomerRow>> =>
    TE.map(({ found }: Seen) => found)(living(services, by, id))

/** As `livingCustomer`, for a command that writes no event: it is answered from what the customer is now. */
export const customerToAnswerFrom =
  (services: Services) =>
  (context: CommandContext, id: string): TE.TaskEither<StoreUnavailable | CustomerNotFound, Found<CustomerRow>> =>
    pipe(
      living(services, context, id),
      TE.map(({ found, revision }) => {
        context.answerFrom?.({ commandId: context.commandId, stream: streamOf(id), revision })
        return found
      }),
    )

type Seen = { readonly found: Found<CustomerRow>; readonly revision: bigint }

const streamOf = (id: string) => `${customers.category}-${id}`

const living = ({ store }: Services, by: Scope | CommandContext, id: string) =>
  pipe(
    store.readStream(streamOf(id)),
    TE.map(({ events }) => seenIn(('commandId' in by ? doneIn(by, streamOf(id), events) : null) ?? events, id)),
    TE.map(O.filter(({ found }) => isIn(by, found) && found.row.status === 'living')),
    TE.chainEitherKW(orNotFound<CustomerNotFound>({ _tag: 'CustomerNotFound' })),
  )

const rowOf = keptRows(customers)

const seenIn = (events: ReadonlyArray<RecordedEvent>, id: string): O.Option<Seen> =>
  O.map((found: Found<CustomerRow>) => ({ found, revision: events.at(-1)?.revision ?? -1n }))(rowOf(id, events))
