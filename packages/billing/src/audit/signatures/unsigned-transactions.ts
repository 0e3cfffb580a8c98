import { KeyRotationAction, LedgerTransaction, type RecordedEvent } from '@quittance/domain'
import { type Finding, findingAt } from '../log-check.ts'

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
  const own: Array<{ readonly hash: string; readonly event: RecordedEvent }> = []
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
      if (type === 'FeeBumped' && typeof transactionHash === 'string') own.push({ hash: transactionHash, event })
      if (type !== 'TransactionPrepared' || data.operations !== undefined) return
      const isOffline = Array.isArray(intents) && intents.some((id) => signedOffline.has(String(id)))
      if (!isOffline) own.push({ hash: stream.slice(prefix.length), event })
    },
    without: (signed) =>
      own
        .filter(({ event: { metadata } }) => metadata.occurredAt > (arrivals.get(metadata.merchantId) ?? -1))
        .filter(({ hash }) => !signed.has(hash))
        .map(({ hash, event }) => findingAt(event, `no signing record of the transaction ${hash} is there`)),
  }
}
