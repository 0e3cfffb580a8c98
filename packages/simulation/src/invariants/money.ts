import { ledgerBooks, ourBooks } from '@quittance/billing/testing/books'
import { incomingPaymentName, payableReference } from '@quittance/billing/testing/internals'
import { done, present } from '@quittance/billing/testing/outcomes'
import { type ExceptionDetails, stroops } from '@quittance/domain'
import { forgottenPayments, type Invariant, ledgersOf, mismatches, type Settled, settledIntents } from './invariant.ts'

/** The accounts of all merchants. */
const watchedIn = ({ services, fixture }: Settled) =>
  [fixture, fixture.neighbour].flatMap((merchant) => {
    if (merchant === null) return []
    const { account, merchantId } = merchant
    const watched = services.readModels.watchedAccounts.all().map(({ row }) => row)
    const { setUpThrough } = present(watched.find((each) => each.account === account))
    return [{ account, merchantId, setUpThrough }]
  })

/** The account's balance at the end of its set-up, in stroops. */
const setUpOf = (assetId: string): bigint => (assetId === 'native' ? 100_000_000_000n : 0n)

const nameOf = (movement: Parameters<typeof incomingPaymentName>[1]): string =>
  incomingPaymentName({ environment: 'testnet' }, movement)
/** The memos that the log knows: all others are for nothing, also those of sessions that a restored log has lost. */
const knownMemos = ({ services }: Settled): ReadonlySet<string> => {
  const { checkouts, subscriptions } = services.readModels
  const invoices = subscriptions.all().flatMap(({ row }) => row.invoices.map(({ invoice }) => invoice.invoiceId))
  return new Set([
    ...checkouts.all().map(({ id, row }) => row.details.reference ?? id),
    ...invoices.map((id) => payableReference(services, 'testnet', id)),
  ])
}
const isForNothing = (kind: ExceptionDetails['kind']): boolean => kind === 'unmatched' || kind === 'dust'

export const moneyRules: ReadonlyArray<Invariant> = [
  {
    rule: 'every incoming payment of a watched account is recorded once, and the books agree with the ledger for each asset',
    broken: async (settled) => {
      const { network, services } = settled
      const shown = async () => services.readModels
      const wrong: Array<string> = []
      for (const { merchantId, account, setUpThrough } of watchedIn(settled)) {
        const ours = await ourBooks({ shown }, merchantId)
        const ledger = await ledgerBooks(network, account, setUpThrough)
        // A sum has the name of its first payment alone.
        const firsts = new Set(ours.names)
        const isWhole = ours.payments === ours.names.length
        const names = isWhole ? ledger.names : ledger.names.filter((name) => firsts.has(name))
        wrong.push(...mismatches(`the books of ${merchantId}`, ours, { ...ledger, names }))
      }
      return wrong
    },
  },
  {
    rule: 'exactly the incoming payments without a purpose are named by an exception that says so, once each',
    broken: async (settled) => {
      const [watched, known] = [new Set([settled.fixture.account]), knownMemos(settled)]
      const exceptions = settled.services.readModels.exceptions.all().map(({ row: { details } }) => details)
      const onLedger = (await ledgersOf(settled))
        .flatMap((ledger) => ledger.incomingPaymentsTo(watched))
        .filter(
          ({ transactionHash, memo }) =>
            settled.unmatchedHashes.has(transactionHash) || (memo._tag === 'text' && !known.has(memo.value)),
        )
      const ours = exceptions.filter(({ kind }) => isForNothing(kind))
      const counted = ours.reduce((all, { sum }) => all + (sum?.count ?? 1), 0)
      const firsts = new Set(ours.map(nameOf))
      const names = onLedger.map(nameOf).filter((name) => counted === ours.length || firsts.has(name))
      return [
        ...mismatches('our exceptions', ours.map(nameOf).sort(), names.sort()),
        ...mismatches('how many they stand for', counted, onLedger.length),
      ]
    },
  },
  {
    // Here only payments change balances: a gain is an incoming payment, a loss one of our intents, or forgotten.
    rule: 'nothing is booked as unexplained',
    broken: async ({ services: { readModels } }) =>
      readModels.exceptions.all().flatMap(({ id, row: { details } }) => {
        const { kind, change, transactionHash, amount, assetId } = details
        if (kind !== 'unexplained' || details.paidTo !== undefined) return []
        const { payments } = readModels
        const isOfThis = (credit: { readonly transactionHash: string }) => credit.transactionHash === transactionHash
        const named = payments
          .all()
          .flatMap((payment) => (payment.row.incomingPayments.some(isOfThis) ? [payment.id] : []))
        const what = `${change?.direction} of ${amount} ${assetId} by ${transactionHash}`
        return [`${id}: ${what}, which brought ${named.join(' and ') || 'nothing'}`]
      }),
  },
  {
    rule: 'the account holds the balances in the books',
    broken: async (settled) => {
      const { network, services, fixture } = settled
      const assets = [network.usdc, network.xlm, network.eurc].map(({ assetId }) => assetId)
      const wrong: Array<string> = []
      for (const { merchantId, account } of watchedIn(settled)) {
        const { sums } = await ourBooks({ shown: async () => services.readModels }, merchantId)
        const balances = await done(network.gateway.balances(assets.map((assetId) => ({ account, assetId }))))
        const own = settledIntents(settled).flatMap(({ details: { source, action } }) =>
          source === account ? [action] : [],
        )
        const forgotten = account === fixture.account ? forgottenPayments(settled) : []
        const paidOut = (assetId: string): bigint =>
          [...own, ...forgotten]
            .filter((paid) => paid.assetId === assetId)
            .reduce((sum, { amount }) => sum + amount, 0n)
        for (const { assetId, held: found } of balances) {
          const expected = stroops(setUpOf(assetId) + (sums[assetId] ?? 0n) - paidOut(assetId))
          wrong.push(...mismatches(`${assetId} of ${account}`, found, expected))
        }
      }
      return wrong
    },
  },
]
