import {
  type AssetId,
  formatAmount,
  type RecordedEvent,
  Subscription,
  type SubscriptionRecord,
  type UnixMs,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import { timestamp, timestampOrNull } from '../../resources/fields.ts'

/** A mandate that a customer has signed. `ended_at` is null as long as no ledger is known to hold its end. */
export type ExportedMandate = {
  readonly mandate_id: string
  readonly contract_id: string
  readonly subscription_id: string
  readonly wallet_address: string
  readonly cap: string
  readonly allowance_expires_at: string
  readonly signed_at: string
  readonly ended_at: string | null
}

type Mandate = SubscriptionRecord['authorization']['mandate']

const decode = decodedBy(Subscription)

/** All mandates of subscriptions, also those that others have replaced, by the events of each subscription in order. */
export const mandatesIn = (events: ReadonlyArray<RecordedEvent>): ReadonlyArray<ExportedMandate> => {
  const ends = new Map<string, UnixMs>()
  const assets = new Map<string, AssetId>()
  const signed: Array<Omit<ExportedMandate, 'ended_at'>> = []
  for (const recorded of events) {
    const { type, data } = decode(recorded)
    const id = recorded.stream.slice(Subscription.category.length + 1)
    switch (type) {
      case 'SubscriptionStarted': {
        assets.set(id, data.details.assetId)
        signed.push(shown(id, data.details.mandate, data.details.assetId, data.details.startedAt))
        break
      }
      case 'MandateReplaced': {
        const assetId = data.assetId ?? assets.get(id)
        if (assetId === undefined) throw new Error(`${recorded.stream} has no asset`)
        assets.set(id, assetId)
        signed.push(shown(id, data.mandate, assetId, data.closedAt))
        break
      }
      case 'MandateEnded':
      case 'AuthorizationRevoked': {
        if (!ends.has(data.mandateId)) ends.set(data.mandateId, data.closedAt)
      }
    }
  }
  return signed.map((mandate) => ({ ...mandate, ended_at: timestampOrNull(ends.get(mandate.mandate_id) ?? null) }))
}

const shown = (
  id: string,
  mandate: Mandate,
  assetId: AssetId,
  signedAt: UnixMs,
): Omit<ExportedMandate, 'ended_at'> => ({
  mandate_id: mandate.mandateId,
  contract_id: mandate.contract,
  subscription_id: id,
  wallet_address: mandate.customer,
  cap: formatAmount(mandate.cap, assetId),
  allowance_expires_at: timestamp(mandate.approval.expiresAt),
  signed_at: timestamp(signedAt),
})
