import { forgottenPayments, type Invariant, type Settled, settledIntents } from './invariant.ts'

export const restoreRules: ReadonlyArray<Invariant> = [
  {
    rule: 'after the log went back, nothing is sent before its ledgers are ingested and an operator has accepted that',
    broken: async ({ sentTooEarly }) => [...sentTooEarly].map((hash) => `${hash} was sent`),
  },
  {
    rule: 'after a payment whose purpose is forgotten, no payment like it goes out',
    broken: async (settled) => {
      const [forgotten, intents] = [await forgottenPayments(settled), await settledIntents(settled)]
      return forgotten.flatMap(({ transactionHash, assetId, amount, destination }) =>
        intents.flatMap(({ place, details: { action, owner } }) => {
          const isLike = action.assetId === assetId && action.amount === amount && action.destination === destination
          return isLike && isSentAfterLoss(settled, transactionHash, place.transactionHash)
            ? [`${owner} was paid after ${transactionHash}`]
            : []
        }),
      )
    },
  },
]

/** Whether `sent` first left after a restore that had forgotten `forgotten`: copies only become newer. */
const isSentAfterLoss = ({ putBackBefore }: Settled, forgotten: string, sent: string): boolean =>
  (putBackBefore.get(sent) ?? 0) > (putBackBefore.get(forgotten) ?? 0)
