import { paymentsOn } from '@quittance/http/testing/kills/books'
import { givenUpRightly, givenUpWrongly } from '@quittance/http/testing/kills/given-up'
import type { LastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { notEndedOnce } from '@quittance/http/testing/kills/proofs'
import type { Wanted } from '@quittance/http/testing/refund-kills/merchant'
import { answeredDifferently, byLedger } from '@quittance/http/testing/refund-kills/verdict'
import { stuckAmong } from '@quittance/http/testing/renewal-kills/stuck'
import { chargesOn, judgeCharges, renewalsAmong } from '@quittance/http/testing/renewal-kills/verdict'
import type { Books } from './books.ts'
import type { Order } from './shop.ts'

type Run = {
  readonly account: string
  readonly orders: ReadonlyArray<Order>
  readonly wanted: ReadonlyArray<Wanted>
  readonly refunds: Parameters<typeof byLedger>[1]['refunds']
}

type Wrong = Readonly<Record<string, ReadonlyArray<string>>>

const repeated = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name, index) => names.indexOf(name) !== index)

/** What a list names more often than another one. */
const beyond = (names: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = new Map<string, number>()
  for (const name of other) left.set(name, (left.get(name) ?? 0) + 1)
  return names.filter((name) => {
    const many = left.get(name) ?? 0
    left.set(name, many - 1)
    return many <= 0
  })
}

const inLedger = (stroops: unknown): string => (Number(stroops) / 1e7).toFixed(7)

/** Compares what the ledger holds with the books, both ways. */
export const judgeBooks = async (network: LastingNetwork, books: Books, run: Run) => {
  const { account, orders } = run
  const { sandbox } = network
  const stage = { ...books, network: { sandbox } }
  const arrived = paymentsOn(sandbox).filter(({ to }) => to === account)
  const charges = await chargesOn(network)
  // A transaction may charge several mandates.
  const onLedger = [
    ...arrived.map(({ hash, amount }) => `${hash} ${amount}`),
    ...charges.map(({ transactionHash, amount }) => `${transactionHash} ${inLedger(amount)}`),
  ]
  const credited = books
    .ofType('PaymentCredited')
    .map(({ data }) => `${data.credit.transactionHash} ${inLedger(data.credit.amount)}`)
  const sold = orders.filter(({ amount, payer }) =>
    arrived.some((each) => each.amount === amount && each.from === payer),
  )
  const confirmed = books.ofType('PaymentConfirmed').map(({ stream }) => stream)
  const givenUp = givenUpRightly(stage)
  const { wrong: ofCharges, ...figures } = judgeCharges(renewalsAmong(charges), books.ofType)
  const wrong: Wrong = {
    paidTwiceByUs: repeated(arrived.map(({ amount, from }) => `${amount} of ${from}`)),
    notBooked: beyond(onLedger, credited),
    bookedTwice: repeated(confirmed),
    bookedMoreThanPaid: beyond(credited, onLedger),
    notConfirmed: sold.flatMap(({ number, paymentId }) =>
      paymentId !== null && confirmed.includes(`payment-${paymentId}`) ? [] : [`sale ${number}`],
    ),
    ...byLedger(sandbox, run, givenUp),
    answeredDifferently: answeredDifferently(run, givenUp),
    givenUpWrongly: givenUpWrongly(stage),
    notEndedOnce: notEndedOnce(stage),
    ...ofCharges,
    stuck: stuckAmong(books.ofCategory('subscription'), network),
  }
  return {
    wrong,
    figures: {
      'sales begun': orders.length,
      'sales on the ledger': sold.length,
      'payments booked': credited.length,
      'refunds wanted': run.wanted.length,
      'refunds given up rightly': givenUp.size,
      'outgoing payments on the ledger': paymentsOn(sandbox).filter(({ from }) => from === account).length,
      'charges on the ledger': charges.length,
      ...Object.fromEntries(Object.entries(figures).map(([name, count]) => [`subscriptions: ${name}`, Number(count)])),
      events: books.rows.length,
    },
  }
}
