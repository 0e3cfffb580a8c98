import { ledgerBooks, ourBooks } from '@quittance/billing/testing/books'
import { incomingPaymentName, payableReference } from '@quittance/billing/testing/internals'
import { done, present } from '@quittance/billing/testing/outcomes'
import { Checkout, Exception, type ExceptionDetails, InvoiceSession, stroops } from '@quittance/domain'
import type { IncomingPayment } from '@quittance/ledger'
import {
  contractsIn,
  forgottenPayments,
  type Invariant,
  ledgersOf,
  mismatches,
  rotationFees,
  type Settled,
  settledIntents,
} from './invariant.ts'

/** The accounts of all merchants. */
const watchedIn = async ({ services, fixture }: Settled) => {
  const watched = (await services.readModels.watchedAccounts.all()).map(({ row }) => row)
  return [fixture, fixture.neighbour].flatMap((merchant) => {
    if (merchant === null) return []
    const { account, merchantId } = merchant
    const { setUpThrough } = present(watched.find((each) => each.account === account))
    return [{ account, merchantId, setUpThrough }]
  })
}

/** The account's balance at the end of its set-up, in stroops. */
const setUpOf = (assetId: string): bigint => (assetId === 'native' ? 100_000_000_000n : 0n)

const nameOf = (movement: Parameters<typeof incomingPaymentName>[1]): string =>
  incomingPaymentName({ environment: 'testnet' }, movement)
/** Memos that the log knows, and since which position. Others are for nothing, like those of sessions that it has lost. */
const knownMemos = async ({ services }: Settled): Promise<ReadonlyMap<string, bigint>> => {
  const { checkouts, subscriptions } = services.readModels
  const known = new Map<string, bigint>()
  for (const { row } of await subscriptions.all())
    for (const { invoice } of row.invoices)
      known.set(
        await payableReference(services, 'testnet', invoice.invoiceId),
        await beginOf(services, `${InvoiceSession.category}-${invoice.invoiceId}`),
      )
  for (const { id, row } of await checkouts.all())
    known.set(row.details.reference ?? id, await beginOf(services, `${Checkout.category}-${id}`))
  return known
}

const beginOf = async ({ store }: Settled['services'], stream: string): Promise<bigint> =>
  present((await done(store.readStream(stream))).events[0]).position

/** What new mandates refer to, by transaction. A mandate may be signed for a session that a restored log has lost. */
const referencesOfMandates = async (settled: Settled): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await ledgersOf(settled))
      .flatMap((ledger) => ledger.mandatesOf(contractsIn(settled)))
      .flatMap((fact) =>
        fact._tag === 'MandateCreated' ? [[fact.transactionHash, fact.record.reference] as const] : [],
      ),
  )

/** Exceptions that say that money was for nothing, and at which position they were opened. */
const forNothing = async ({ services }: Settled) => {
  const found = (await services.readModels.exceptions.all()).filter(({ row }) => isForNothing(row.details.kind))
  return Promise.all(
    found.map(async ({ id, row: { details } }) => ({
      ...details,
      id,
      openedAt: await beginOf(services, `${Exception.category}-${id}`),
    })),
  )
}
const isForNothing = (kind: ExceptionDetails['kind']): boolean => kind === 'unmatched' || kind === 'dust'

export const moneyRules: ReadonlyArray<Invariant> = [
  {
    rule: 'every incoming payment of a watched account is recorded once, and the books agree with the ledger for each asset',
    broken: async (settled) => {
      const { network, services } = settled
      const shown = async () => services.readModels
      const wrong: Array<string> = []
      for (const { merchantId, account, setUpThrough } of await watchedIn(settled)) {
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
    // A restored log may make a session again, with its id, after a process has looked up what was paid for it. That process
    // could not know the session, and a person applies the money.
    rule: 'exactly the incoming payments without a purpose, or whose session came into the log after it was looked up for them, are named by an exception that says so, once each',
    broken: async (settled) => {
      const [watched, known] = [new Set([settled.fixture.account]), await knownMemos(settled)]
      const ours = await forNothing(settled)
      const { lookUps } = settled.course
      const isFiledBefore = (position: bigint, reference: string, payment: IncomingPayment): boolean =>
        ours.some(
          ({ id, openedAt, sum, ...details }) =>
            (lookUps.get(id)?.get(reference) ?? openedAt) < position &&
            details.ledger === payment.ledger &&
            (sum === undefined ? nameOf(details) === nameOf(payment) : details.assetId === payment.assetId),
        )
      const signed = await referencesOfMandates(settled)
      const isWithoutPurpose = (payment: IncomingPayment): boolean => {
        const reference = payment.memo._tag === 'text' ? payment.memo.value : signed.get(payment.transactionHash)
        if (reference === undefined) return false
        const since = known.get(reference)
        return since === undefined || isFiledBefore(since, reference, payment)
      }
      const onLedger = (await ledgersOf(settled))
        .flatMap((ledger) => ledger.incomingPaymentsTo(watched))
        .filter((payment) => settled.unmatchedHashes.has(payment.transactionHash) || isWithoutPurpose(payment))
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
    broken: async ({ services: { readModels } }) => {
      const [exceptions, payments] = [await readModels.exceptions.all(), await readModels.payments.all()]
      return exceptions.flatMap(({ id, row: { details } }) => {
        const { kind, change, transactionHash, amount, assetId } = details
        if (kind !== 'unexplained' || details.paidTo !== undefined) return []
        const isOfThis = (credit: { readonly transactionHash: string }) => credit.transactionHash === transactionHash
        const named = payments.flatMap((payment) => (payment.row.incomingPayments.some(isOfThis) ? [payment.id] : []))
        const what = `${change?.direction} of ${amount} ${assetId} by ${transactionHash}`
        return [`${id}: ${what}, which brought ${named.join(' and ') || 'nothing'}`]
      })
    },
  },
  {
    rule: 'the account holds the balances in the books',
    broken: async (settled) => {
      const { network, services, fixture } = settled
      const assets = [network.usdc, network.xlm, network.eurc].map(({ assetId }) => assetId)
      const wrong: Array<string> = []
      for (const { merchantId, account } of await watchedIn(settled)) {
        const { sums } = await ourBooks({ shown: async () => services.readModels }, merchantId)
        const balances = await done(network.gateway.balances(assets.map((assetId) => ({ account, assetId }))))
        const own = (await settledIntents(settled)).flatMap(({ details: { source, action } }) =>
          source === account ? [action] : [],
        )
        const forgotten = account === fixture.account ? await forgottenPayments(settled) : []
        const fees = [...(await rotationFees(settled, account)).values()]
        const paidOut = (assetId: string): bigint =>
          [...own, ...forgotten, ...fees.map((amount) => ({ assetId: 'native', amount }))]
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
