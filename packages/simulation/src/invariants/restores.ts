import { forgottenPayments, type Invariant, settledIntents } from './invariant.ts'

export const restoreRules: ReadonlyArray<Invariant> = [
  {
    rule: 'after the log went back, nothing is sent before its ledgers are ingested and an operator has accepted that',
    broken: async ({ sentTooEarly }) => [...sentTooEarly].map((hash) => `${hash} was sent`),
  },
  {
    rule: 'after a payment whose purpose is forgotten, no payment like it goes out',
    broken: async (settled) =>
      forgottenPayments(settled).flatMap(({ transactionHash, ledger, assetId, amount, destination }) =>
        settledIntents(settled).flatMap(({ place, details: { action, owner } }) => {
          const isLike = action.assetId === assetId && action.amount === amount && action.destination === destination
          return isLike && place.ledger > ledger ? [`${owner} was paid after ${transactionHash}`] : []
        }),
      ),
  },
]
