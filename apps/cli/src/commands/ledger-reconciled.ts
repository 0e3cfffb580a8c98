import type { Reconciled } from '@quittance/billing'
import { decimalFromStroops } from '@quittance/domain'
import { counted, printable, signed, table } from '../printing.ts'

type Balance = Reconciled['balances'][number]

/** The most balances that the text lists; `--json` has all. */
const mostShown = 100

const heldText = ({ held }: Balance): string => (held === null ? 'none' : decimalFromStroops(held))

/**
 * Amounts are units of the asset. `held` is null where there is no such account or trustline. `transactions` is null where the
 * whole ledger was passed over.
 */
export const reconciledJson = ({ ingestedTo, latest, balances, comparison, uncounted, passedOver }: Reconciled) => ({
  walked_to: ingestedTo,
  latest,
  compared: comparison.compared,
  differing: comparison.differing,
  balances: balances.map(({ account, assetId, counted: amount, held, difference }) => ({
    account,
    asset_id: assetId,
    counted: decimalFromStroops(amount),
    held: held === null ? null : decimalFromStroops(held),
    difference: signed(difference),
  })),
  uncounted: uncounted.map(({ transactionHash, checkoutId, paymentId, includedIn }) => ({
    transaction_hash: transactionHash,
    checkout_id: checkoutId,
    payment_id: paymentId,
    included_in: includedIn,
  })),
  passed_over: passedOver.map((passed) => ({
    ledger: passed.ledger,
    protocol: passed.protocol,
    cause: passed.cause,
    transactions: 'transactions' in passed ? { count: passed.count, hashes: passed.transactions } : null,
  })),
})

/** The balances that differ, and the transactions that the operator has to look at. */
export const reconciledText = ({
  ingestedTo,
  latest,
  balances,
  comparison,
  uncounted,
  passedOver,
}: Reconciled): string => {
  const differing = balances.filter(({ difference }) => difference !== 0n)
  const shown = differing.slice(0, mostShown)
  const left = latest - ingestedTo
  const lastPassed = passedOver.at(-1)?.ledger
  return [
    `${counted(comparison.compared, 'balance')} compared, ${comparison.differing} differing.`,
    ...(shown.length === 0
      ? []
      : [
          table([
            ['ACCOUNT', 'ASSET', 'BOOKS', 'LEDGER', 'DIFFERENCE'],
            ...shown.map((each) => [
              each.account,
              each.assetId,
              decimalFromStroops(each.counted),
              heldText(each),
              signed(each.difference),
            ]),
          ]),
        ]),
    ...(differing.length > shown.length ? [`and ${counted(differing.length - shown.length, 'other')}`] : []),
    ...(left > 0
      ? [`${counted(left, 'ledger')} still to be ingested: payments there show as differences until then.`]
      : []),
    ...(lastPassed === undefined
      ? []
      : [
          `${counted(passedOver.length, 'ledger')} could not be decoded as a whole, the last one ${lastPassed}; what was passed over held nothing of yours.`,
        ]),
    ...uncounted.map(({ transactionHash, checkoutId }) =>
      printable(
        `Look yourself: no node knows the outcome of transaction ${transactionHash} for ${checkoutId} any more.`,
      ),
    ),
  ].join('\n')
}
