import { KeyRotationAction, LedgerTransaction, type RecordedEvent } from '@quittance/domain'
import { type Finding, findingAt, type Place } from '../log-check.ts'

type Own = {
  readonly hash: string
  readonly place: Place
  readonly merchantId: string
  readonly at: number
  readonly intents: ReadonlyArray<unknown>
}

/** The transactions of the log that a key of this vault must have signed. */
export interface OwnTransactions {
  readonly see: (event: RecordedEvent) => void
  /** Those of which no record is there. */
  readonly without: (signed: ReadonlySet<string>) => ReadonlyArray<Finding>
}

/**
 * Left out are those that a recovery key has signed elsewhere, those that were read from the ledger after the log was restored, and those
 * that a merchant has brought along from another installation.
 */
export const ownTransactions = (): OwnTransactions => {
  const own: Array<Own> = []
  const signedOffline = new Set<string>()
  const arrivals = new Map<string, number>()
  const prefix = `${LedgerTransaction.category}-`
  return {
    see: (event) => {
      const { stream, type, data, metadata } = event
      const { action, intents, transactionHash } = data
      if (type === 'MerchantArrived') arrivals.set(metadata.merchantId, metadata.occurredAt)
      if (type === 'IntentRecorded' && KeyRotationAction.is(action) && action.signedOffline !== undefined)
        signedOffline.add(stream.slice(stream.indexOf('-') + 1))
      if (!stream.startsWith(prefix)) return
      const { merchantId, occurredAt: at } = metadata
      const found = { place: { stream, revision: event.revision }, merchantId, at }
      if (type === 'FeeBumped' && typeof transactionHash === 'string')
        own.push({ ...found, hash: transactionHash, intents: [] })
      if (type === 'TransactionPrepared' && data.operations === undefined)
        own.push({ ...found, hash: stream.slice(prefix.length), intents: Array.isArray(intents) ? intents : [] })
    },
    without: (signed) =>
      own
        .filter(({ merchantId, at }) => at > (arrivals.get(merchantId) ?? -1))
        .filter(({ hash, intents }) => !signed.has(hash) && !intents.some((id) => signedOffline.has(String(id))))
        .map(({ hash, place }) => findingAt(place, `no signing record of the transaction ${hash} is there`)),
  }
}
