import { resolve } from 'node:path'
import type { CheckFailure, ExportedMerchant } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { type CommandError, refused } from '../command-error.ts'
import { counted, printable } from '../printing.ts'

export const fileOption = mandatoryOption('--file <path>', 'The file that `quittance merchant export` has written.')

export const merchantInspect: Command = {
  name: 'merchant inspect',
  summary: 'Reads the export of a merchant without importing it.',
  explanation: `Reads the whole file at its destination: that it is complete and unchanged, and about one merchant alone. Prints what it holds,
and its digest. It records nothing.`,
  options: [fileOption],
  needsSoundLog: false,
  example: {
    words: '--file acme.export',
    prints: `mer_… (Acme), left at 2026-11-23T09:12:31.000Z: moves to Bob
  testnet: ingested up to ledger 51355112
  settlement G… on testnet
1,204 events in 402 streams, 310 customer keys
digest 3f…`,
    json: '{"merchant_id":"mer_…","name":"Acme","digest":"3f…","events":1204,"streams":402,…}',
  },
  run: (line, { withBilling }) =>
    withBilling(async ({ leaving }) => {
      const found = await leaving.inspect(resolve(line.required('file')))()
      if (E.isLeft(found)) return E.left(fileError(found.left))
      const { merchantId, leftAt, reason } = found.right.beginning
      const head = `${merchantId}, left at ${new Date(leftAt).toISOString()}: ${reason}`
      return E.right({
        status: 0,
        json: exportJson(found.right),
        text: [printable(head), ...exportLines(found.right)].join('\n'),
      })
    }),
}

export const fileError = (failure: CheckFailure): CommandError => {
  switch (failure._tag) {
    case 'FileUnreadable':
      return refused('file_unreadable', `The file cannot be read: ${failure.cause}.`)
    case 'FileAltered':
      return refused('file_altered', 'The file is no export, was cut off, or was changed. Have it sent again.')
    case 'FileForAnother':
      return refused('file_for_another', printable(`The file is for another installation: ${failure.to}.`))
    case 'ForeignContent':
      return refused('foreign_content', printable(`The file holds what is not the merchant's: ${failure.what}.`))
  }
}

export const exportJson = ({ beginning, end }: ExportedMerchant) => ({
  merchant_id: beginning.merchantId,
  name: beginning.name,
  left_at: new Date(beginning.leftAt).toISOString(),
  by: beginning.by,
  reason: beginning.reason,
  digest: end.digest,
  events: end.events,
  streams: end.streams,
  customers: end.subjects,
  ingested_through: beginning.places.map(({ environment, ledger, networkPassphrase }) => ({
    environment,
    ledger,
    network: networkPassphrase,
  })),
  accounts: beginning.accounts,
  keys_to_replace: beginning.lostKeys,
})

export const exportLines = ({ beginning, end }: ExportedMerchant): ReadonlyArray<string> => [
  ...beginning.places.map(({ environment, ledger }) => `  ${environment}: ingested up to ledger ${ledger}`),
  ...beginning.accounts.map(({ environment, account, holds }) => `  ${holds} ${account} on ${environment}`),
  ...beginning.lostKeys.map((key) => `  API key ${key} will not work: its holder needs another`),
  `${counted(end.events, 'event')} in ${counted(end.streams, 'stream')}, ${counted(end.subjects, 'customer key')}`,
  `digest ${end.digest}`,
]
