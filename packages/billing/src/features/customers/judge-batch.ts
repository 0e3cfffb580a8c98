import {
  CustomerId,
  type KeyedHash,
  type MetadataRejection,
  mergeMetadata,
  noMetadata,
  type RecordedEvent,
  Reservation,
} from '@quittance/domain'
import { customers as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { rowFrom, type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { EmailTaken } from './claim-email.ts'
import { emailHash } from './look-up.ts'

export type NewCustomer = {
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
  readonly image: string | null
  readonly metadata: unknown
}

/** Two customers of one batch have the same email. */
export type EmailRepeated = { readonly _tag: 'EmailRepeated' }

/**
 * Checks every customer of a batch before any is written. If another request takes an email before the batch writes it,
 * the batch ends there.
 */
export const judgeBatch = async (
  { store, vault }: Pick<Services, 'store' | 'vault'>,
  context: CommandContext,
  customers: ReadonlyArray<NewCustomer>,
): Promise<E.Either<MetadataRejection | EmailRepeated | EmailTaken | StoreUnavailable, void>> => {
  const begun = await hasBegun(store, context)
  if (E.isLeft(begun) || begun.right) return E.map(() => undefined)(begun)
  for (const { metadata } of customers) {
    const merged = mergeMetadata(noMetadata, metadata ?? {}, 'text')
    if (E.isLeft(merged)) return merged
  }
  const hashes = (
    await Promise.all(
      customers.map(async ({ email }) => (email === null ? [] : [await emailHash(vault, context, email)])),
    )
  ).flat()
  if (new Set(hashes).size < hashes.length) return E.left({ _tag: 'EmailRepeated' })
  for (const hash of hashes) {
    const holder = await otherHolder(store, context, hash)
    if (E.isLeft(holder)) return holder
    if (holder.right !== null) return E.left({ _tag: 'EmailTaken', customerId: holder.right })
  }
  return E.right(undefined)
}

/** Whether the first customer was created before: then the rest follows, even if the emails are taken by now. */
const hasBegun = async (
  store: Services['store'],
  { at, commandId, isFirstRun }: CommandContext,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  if (isFirstRun) return E.right(false)
  const stream = await store.readStream(`${model.category}-${createdId(CustomerId, at, commandId)}`)()
  return E.map(({ events }: { readonly events: ReadonlyArray<RecordedEvent> }) =>
    events.some(({ metadata }) => metadata.commandId === commandId),
  )(stream)
}

/** The customer that has the email, unless this very command created it. */
const otherHolder = async (
  store: Services['store'],
  { commandId }: CommandContext,
  hash: KeyedHash,
): Promise<E.Either<StoreUnavailable, string | null>> => {
  const reserved = await stateOf(store)(Reservation, hash)
  if (E.isLeft(reserved)) return reserved
  const { state: reservation } = reserved.right
  if (reservation.status === 'free') return E.right(null)
  const stream = await store.readStream(`${model.category}-${reservation.owner}`)()
  if (E.isLeft(stream)) return stream
  const { events } = stream.right
  const row = O.toNullable(rowFrom(model, reservation.owner, events))?.row
  const isOther = row?.record.emailHash === hash && events[0]?.metadata.commandId !== commandId
  return E.right(isOther ? reservation.owner : null)
}
