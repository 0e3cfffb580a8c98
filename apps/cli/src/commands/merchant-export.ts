import { resolve } from 'node:path'
import type { LeaveFailure } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { type CommandError, refused } from '../command-error.ts'
import { failureError } from '../failures.ts'
import { counted } from '../printing.ts'
import { merchantOf } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'
import { exportJson, exportLines } from './merchant-inspect.ts'

export const merchantExport: Command = {
  name: 'merchant export',
  summary: 'Ends a merchant here, for good, and writes all of it into a file for another installation.',
  explanation: `The file holds the streams of the merchant, the keys of its accounts and of its customers' data, its webhooks and API keys. Only
the installation that --to names can read it. From then on the merchant exists there: here its keys only read, nothing is sold,
charged, paid or booked any more, and nothing undoes that, not even an older backup of this installation. Before, suspend the
merchant, wait until nothing of it is under way, and end the service: no other process may have the data directory open. The
command says what is still under way. Run it again for the same destination if it was interrupted, or if the file was lost.`,
  options: [
    mandatoryOption('--merchant <merchant_id>', 'The merchant.'),
    mandatoryOption('--to <destination>', 'What `quittance merchant import --prepare` has printed there.'),
    mandatoryOption('--file <path>', 'The file to write, which must not exist.'),
    ...decisionOptions,
  ],
  needsSoundLog: true,
  example: {
    words: '--merchant mer_… --to qd_… --file acme.export --reason "moves to Bob"',
    prints: `mer_… (Acme) has left for qd_…
  testnet: ingested up to ledger 51355112
  settlement G… on testnet
1,204 events in 402 streams, 310 customer keys
digest 3f…
Tell the digest to the other operator, but not in the file's company.`,
    json: '{"merchant_id":"mer_…","name":"Acme","digest":"3f…","events":1204,"streams":402,…,"file":"/…/acme.export","left_now":true}',
  },
  run: async (line, { withBillingAlone }) => {
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    const path = resolve(line.required('file'))
    return withBillingAlone(async (billing) => {
      const merchantId = await merchantOf(billing, line)
      if (E.isLeft(merchantId)) return merchantId
      const request = { merchantId: merchantId.right, to: line.required('to'), path, ...decision.right }
      const left = await billing.leaving.leave(request)()
      if (E.isLeft(left)) return E.left(errorFor(left.left))
      const { isNew } = left.right
      const head = `${merchantId.right} has left for ${request.to}${isNew ? '' : ' before; this is the same export again'}`
      return E.right({
        status: 0,
        json: { ...exportJson(left.right), file: path, left_now: isNew },
        text: [
          head,
          ...exportLines(left.right),
          "Tell the digest to the other operator, but not in the file's company.",
        ].join('\n'),
      })
    })
  },
}

const errorFor = (failure: LeaveFailure): CommandError => {
  switch (failure._tag) {
    case 'DestinationUnknown':
      return refused('destination_unknown', '--to names no installation: it was mistyped or cut off.')
    case 'DestinationIsHere':
      return refused('destination_is_here', '--to names this installation.')
    case 'FileExists':
      return refused('file_exists', `${failure.path} exists already.`)
    case 'ForeignContent':
      return refused(
        'foreign_content',
        `No destination would take what the export holds: ${failure.what}. Nothing was changed.`,
      )
    case 'KeysElsewhere':
      return refused(
        'keys_elsewhere',
        `Another signer than the vault holds keys of the merchant, and gives none away: ${failure.keys.join(', ')}.`,
      )
    case 'LogNotInFile':
      return refused('log_not_in_file', 'The event log is on a server: move it to a file first (quittance copy).')
    case 'NotQuiet':
      return refused(
        'not_quiet',
        [
          'The merchant cannot leave yet:',
          ...failure.hindrances.map(({ what, environment, count }) => `  ${environment}: ${words[what](count)}`),
        ].join('\n'),
      )
    default:
      return failureError(failure)
  }
}

type What = Extract<LeaveFailure, { readonly _tag: 'NotQuiet' }>['hindrances'][number]['what']

const words: Readonly<Record<What, (count: number) => string>> = {
  outgoing: (count) =>
    `${counted(count, 'movement')} of money, or ends of mandates, are under way: start the service until they have ended`,
  transactions: (count) =>
    `${counted(count, 'transaction')} without a recorded end: start the service until it is there`,
  refunds: (count) => `${counted(count, 'refund')} pending: wait for the end`,
  payouts: (count) => `${counted(count, 'payout')} pending: wait for the end, or cancel`,
  unplaced: () => 'money has arrived that is not booked yet: start the service, and look at /ready',
  held: (count) => `${counted(count, 'movement')} held by a screening: quittance screening list`,
  shared_operator: (count) =>
    `${counted(count, 'living mandate')} of an operator account that others use too: quittance operator create --merchant, operator adopt, contract migrate --merchant`,
  closing: () => 'the merchant closes here',
  fees_owed: (count) => `platform fees are owed in ${counted(count, 'asset')}: collect them`,
  network_reset: () => 'its network was reset, and another installation counts its histories otherwise',
  sandbox: () => 'it was paid in the sandbox, whose ledger is nowhere else',
  no_network: () => 'its network is not configured',
}
