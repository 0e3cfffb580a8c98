import { Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { counted } from '../printing.ts'
import { decisionOf, reasonOption } from './decision.ts'

export const restoreAccept: Command = {
  name: 'restore accept',
  summary: 'Accepts that the event log went back, so that the service sends again.',
  explanation: `After a restored backup the log lacks events that it held once, or the ledger shows transactions of the service that
the log does not know (\`/ready\` says \`rolled_back\`, and why). Then nothing is sent, no work is begun, and no command is
taken. This command records that a person accepts the log as it is; a running service goes on within a second. What was
lost stays lost. It refuses while ledgers are still to be ingested, because they show what the log has forgotten: start
the service, and wait until \`/ready\` shows a lag of 0.`,
  options: [
    reasonOption,
    option('--actor <name>', 'The person who accepts; recorded too. "operator" unless given.'),
    new Option('--force', 'Accepts although ledgers are still to be ingested.'),
  ],
  needsSoundLog: false,
  example: {
    words: '--reason "the disk died; this is the copy of last night" --actor Ada',
    prints: 'Accepted: 1 lacked event, 0 forgotten transactions. The service sends again.',
    json: `{"accepted":true,"by":"Ada","reason":"the disk died; this is the copy of last night","at":"2026-11-23T09:12:31.000Z",
  "lacked":[{"stream":"stellartx-…","revision":1,"recorded_at":"2026-11-23T08:59:02.000Z"}],"forgotten":[],
  "through":{"testnet":51355530,"mainnet":null},"forced":false}; {"accepted":false} where nothing is to be accepted`,
  },
  run: async (line, { withBilling }) => {
    const decision = decisionOf(line, 'actor')
    if (E.isLeft(decision)) return decision
    return withBilling(async ({ log }) => {
      const accepted = await log.accept({ ...decision.right, isForced: line.isSet('force') })()
      if (E.isLeft(accepted)) return accepted
      if (accepted.right === null)
        return E.right({ status: 0, json: { accepted: false }, text: 'The log is sound: there is nothing to accept.' })
      const { by, reason, acceptedAt, lacked, forgotten, through, isForced } = accepted.right
      const found = `${counted(lacked.length, 'lacked event')}, ${counted(forgotten.length, 'forgotten transaction')}`
      return E.right({
        status: 0,
        json: {
          accepted: true,
          by,
          reason,
          at: new Date(acceptedAt).toISOString(),
          lacked: lacked.map(({ stream, revision, at }) => ({
            stream,
            revision,
            recorded_at: new Date(at).toISOString(),
          })),
          forgotten: forgotten.map(({ environment, account, transactionHash, ledger }) => ({
            environment,
            account,
            transaction_hash: transactionHash,
            ledger,
          })),
          through,
          forced: isForced,
        },
        text: `Accepted: ${found}. The service sends again.`,
      })
    })
  },
}
