import type { Unresolved } from '@quittance/billing'
import { decimalFromStroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import type { Command } from '../command.ts'
import { complaintOf } from '../failures.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'transaction list'

/** Money on its way out of which nobody can prove what became. */
export const transactionList: Command = {
  name,
  summary: 'Shows transactions of ours whose end nobody can prove.',
  explanation: `Shows each transaction that waits for a person, with what is known of it: the money in it, the ledgers that may hold it,
whether anybody has used its sequence number (if not, no ledger holds it), and what nodes say of it now. Whatever ends
by itself is left out. \`quittance transaction decide\` ends one.`,
  options: [environmentOption],
  example: {
    words: '',
    prints: `3389e9f0… after ledger 51355100 until 2026-11-20T17:02:03.000Z; number 7 of G… is used; nobody can tell
  int_… for rf_…: 25 USDC:G… to G…`,
    json: `[{"transaction_hash":"3389e9f0…","merchant_id":"mer_…","known":"unprovable","held":null,"source_account":"G…",
  "account_sequence":"7","sequence_used":true,"prepared_after":51355100,"max_time":"2026-11-20T17:02:03.000Z",
  "intents":[{"intent_id":"int_…","owner":"rf_…","destination":"G…","asset_id":"USDC:G…","amount":"25"}]}]`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        billing.transactions.unresolved(environment.right),
        TE.bimap(
          complaintOf,
          (left): Answer => ({
            status: 0,
            json: left.map(jsonOf),
            text: left.length === 0 ? 'No transaction waits for a person.' : left.map(textOf).join('\n'),
          }),
        ),
      ),
    )
  },
}

const jsonOf = ({ id, merchantId, row, intents, finding, isSequenceUsed }: Unresolved) => ({
  transaction_hash: id,
  merchant_id: merchantId,
  known: finding._tag === 'Contradicted' ? 'contradicted' : 'unprovable',
  held: finding._tag === 'Contradicted' ? { ledger: finding.ledger, as: heldAs(finding) } : null,
  source_account: row.sourceAccount,
  account_sequence: row.accountSequence.toString(),
  sequence_used: isSequenceUsed,
  prepared_after: row.preparedAfter,
  max_time: new Date(row.maxTime).toISOString(),
  intents: intents.map(({ id: intent_id, row: { details } }) => ({
    intent_id,
    owner: details.owner,
    destination: details.action._tag === 'payment' ? details.action.destination : null,
    customer: details.action._tag === 'charge' ? details.action.customer : null,
    set_up: details.class === 'set_up' ? details.action._tag : null,
    mandate: details.action._tag === 'mandate_cancellation' ? details.action.mandateId : null,
    asset_id: 'assetId' in details.action ? details.action.assetId : null,
    amount: 'amount' in details.action ? decimalFromStroops(details.action.amount) : null,
  })),
})

/** How the ledger that a node names holds it; null where that does not hold it at all. */
const heldAs = ({ outcome }: Extract<Unresolved['finding'], { readonly _tag: 'Contradicted' }>) => {
  if (outcome === null) return null
  return outcome._tag === 'Succeeded' ? 'succeeded' : 'failed'
}

type ListedIntent = ReturnType<typeof jsonOf>['intents'][number]

const wantedBy = ({ amount, asset_id, destination, customer, mandate, set_up }: ListedIntent): string => {
  if (set_up !== null) return asset_id === null ? set_up : `${set_up} ${asset_id}`
  if (mandate !== null) return `the end of mandate ${mandate}`
  return `${amount} ${asset_id} ${destination === null ? `from ${customer}` : `to ${destination}`}`
}

const textOf = (each: Unresolved): string => {
  const { transaction_hash, prepared_after, max_time, account_sequence, source_account, intents, held } = jsonOf(each)
  const used = { true: 'is used', false: 'is not used', null: 'is of no account any more' }[`${each.isSequenceUsed}`]
  const told =
    held === null ? 'nobody can tell' : `a node names ledger ${held.ledger} (${held.as ?? 'which does not hold it'})`
  return [
    `${transaction_hash} after ledger ${prepared_after} until ${max_time}; number ${account_sequence} of ${source_account} ${used}; ${told}`,
    ...intents.map((intent) => `  ${intent.intent_id} for ${intent.owner}: ${wantedBy(intent)}`),
  ]
    .map(printable)
    .join('\n')
}
