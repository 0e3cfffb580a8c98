import { type JsonObject, type RecordedEvent, Sealed, unixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import { timestamp } from '../../resources/fields.ts'
import type { Family, Reads } from '../../resources/scopes.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { places, withheld } from './left-out.ts'

/** One stored event: whose it is, when it happened, and its data with sealed fields opened. */
export type ExportedFact = {
  readonly of: string
  readonly type: string
  readonly occurred_at: string
  readonly data: JsonObject
}

const families: Readonly<Record<string, Family>> = {
  customer: 'customers',
  checkout: 'checkouts',
  invoice: 'checkouts',
  payment: 'payments',
  refund: 'refunds',
  subscription: 'subscriptions',
}
const typesOfRefunds: ReadonlySet<string> = new Set(['RefundClaimed', 'RefundReleased', 'PaymentRefunded'])

const shown: ReadonlySet<string> = new Set(
  Object.entries(places).flatMap(([type, place]) => (place === 'history' ? [type] : [])),
)

/** An event of a customer's streams; nothing where it is left out, or not the reader's to see. */
export const historyEntry =
  (vault: Pick<Vault, 'unseal'>, ownerOf: (recorded: RecordedEvent) => string, reads: Reads) =>
  async (recorded: RecordedEvent): Promise<ReadonlyArray<ExportedFact>> => {
    const { stream, type, data, metadata } = recorded
    const family = families[stream.slice(0, stream.indexOf('-'))]
    const isReadable = family !== undefined && reads(family) && (reads('refunds') || !typesOfRefunds.has(type))
    if (!shown.has(type) || !isReadable) return []
    const open = async (field: string, value: JsonObject[string]): Promise<JsonObject[string]> =>
      isSealed(field) && Sealed.is(value) ? O.toNullable(await vault.unseal(ownerOf(recorded), value)) : value
    const fields = Object.entries(data).filter(
      ([field]) => !Object.hasOwn(withheld, field) && !Object.hasOwn(withheld, `${type}.${field}`),
    )
    return [
      {
        of: stream.slice(stream.indexOf('-') + 1),
        type,
        occurred_at: timestamp(unixMs(metadata.occurredAt)),
        data: Object.fromEntries(
          await Promise.all(fields.map(async ([field, value]) => [field, await open(field, value)])),
        ),
      },
    ]
  }

const isSealed = (field: string): boolean => field === 'profile' || field === 'billingDetails'
