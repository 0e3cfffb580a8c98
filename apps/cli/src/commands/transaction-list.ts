import type { Unresolved } from '@quittance/billing'
import { decimalFromStroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { printable } from '../printing.ts'
import { environmentOption, inEnvironment } from '../scope.ts'

export const transactionList: Command = {
  name: 'transaction list',
  summary: 'Lists transactions whose outcome nobody can prove.',
  explanation: `Lists the transactions that wait for the operator, with the known facts: their money, the ledgers that may hold them,
whether their sequence number is used (if not, no ledger holds them), and what nodes say of them now. It leaves out
transactions that end by themselves. \`quittance transaction decide\` ends one.`,
  options: [environmentOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `3389e9f0… after ledger 51355100 until 2026-11-20T17:02:03.000Z; sequence number 7 of G… is used; nobody can prove its outcome
  int_… for rf_…: 25 USDC:G… to G…`,
    json: `[{"transaction_hash":"3389e9f0…","merchant_id":"mer_…","known":"unprovable","held":null,"source_account":"G…",
  "account_sequence":"7","sequence_used":true,"prepared_after":51355100,"max_time":"2026-11-20T17:02:03.000Z",
  "intents":[{"intent_id":"int_…","owner":"rf_…","destination":"G…","asset_id":"USDC:G…","amount":"25"}]}]`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ transactions }, { environment }) => {
      const unresolved = await transactions.unresolved(environment)()
      if (E.isLeft(unresolved)) return unresolved
      const waiting = unresolved.right
      return E.right({
        status: 0,
        json: waiting.map(jsonOf),
        text: waiting.length === 0 ? 'No transaction waits for the operator.' : waiting.map(textOf).join('\n'),
      })
    }),
}

const jsonOf = ({ id, merchantId, row, intents, finding, isSequenceUsed }: Unresolved) => ({
  transaction_hash: id,
  merchant_id: merchantId,
  known: finding._tag === 'Contradicted' ? 'contradicted' : 'unprovable',
  held: finding._tag === 'Contradicted' ? { ledger: finding.ledger, as: outcomeIn(finding) } : null,
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

/** The outcome in the ledger that a node names; null if that ledger does not hold the transaction. */
const outcomeIn = ({ outcome }: Extract<Unresolved['finding'], { readonly _tag: 'Contradicted' }>) => {
  if (outcome === null) return null
  return outcome._tag === 'Succeeded' ? 'succeeded' : 'failed'
}

type ListedIntent = ReturnType<typeof jsonOf>['intents'][number]

const purposeOf = ({ amount, asset_id, destination, customer, mandate, set_up }: ListedIntent): string => {
  if (set_up !== null) return asset_id === null ? set_up : `${set_up} ${asset_id}`
  if (mandate !== null) return `the end of mandate ${mandate}`
  return `${amount} ${asset_id} ${destination === null ? `from ${customer}` : `to ${destination}`}`
}

const textOf = (each: Unresolved): string => {
  const { transaction_hash, prepared_after, max_time, account_sequence, source_account, intents, held } = jsonOf(each)
  const used = { true: 'is used', false: 'is not used', null: 'belongs to no account any more' }[
    `${each.isSequenceUsed}`
  ]
  const evidence =
    held === null
      ? 'nobody can prove its outcome'
      : `a node names ledger ${held.ledger} (${held.as ?? 'which does not hold it'})`
  return [
    `${transaction_hash} after ledger ${prepared_after} until ${max_time}; sequence number ${account_sequence} of ${source_account} ${used}; ${evidence}`,
    ...intents.map((intent) => `  ${intent.intent_id} for ${intent.owner}: ${purposeOf(intent)}`),
  ]
    .map(printable)
    .join('\n')
}
