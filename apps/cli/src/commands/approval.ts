import type { ApprovalResource } from '@quittance/billing'
import { isPlainText } from '@quittance/domain'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option, type ParsedLine } from '../command.ts'
import type { CommandError } from '../command-error.ts'
import { usageError } from '../command-error.ts'
import type { Installation } from '../installation.ts'
import { printable, table } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

const mostListed = 100
const longestNote = 500

export const approvalList: Command = {
  name: 'approval list',
  summary: 'Lists the refunds and payouts that wait for an approval.',
  explanation: `Lists the ${mostListed} newest that wait, since a limit has no room for them, with their value in US dollars.`,
  options: [merchantOption, environmentOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `APPROVAL  OF     AMOUNT     DOLLARS  TO  REQUESTED BY  UNTIL
apr_…     po_…   900 USDC   900      G…  key_…         2026-11-30T10:00:00.000Z`,
    json: '[{"id":"apr_…","object":"approval","status":"waiting","of":"payout","subject_id":"po_…","requested_by":"key_…","amount":"900 USDC","value_usd":"900",…}]',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ approvals }, { merchantId, environment }) => {
      const { resources } = await approvals.list({ merchantId, environment, status: 'waiting', limit: mostListed })()
      const rows = resources.map((each) => [
        each.id,
        each.subject_id,
        each.amount,
        each.value_usd ?? 'unknown',
        each.destination,
        each.requested_by,
        each.expires_at,
      ])
      return E.right({
        status: 0,
        json: resources,
        text:
          rows.length === 0
            ? 'Nothing waits for an approval.'
            : table([['APPROVAL', 'OF', 'AMOUNT', 'DOLLARS', 'TO', 'REQUESTED BY', 'UNTIL'], ...rows]),
      })
    }),
}

const options = [
  merchantOption,
  environmentOption,
  option('--note <note>', `Kept with the decision, at most ${longestNote} characters.`),
]
const argument = (): Argument => new Argument('<approval_id>', 'Its id (apr_…).')

export const approvalApprove: Command = {
  name: 'approval approve',
  summary: 'Lets a refund or a payout go out that waits for an approval.',
  explanation: 'Decides as the operator. The money goes out within seconds, and cannot be called back.',
  argument: argument(),
  options,
  needsSoundLog: true,
  example: {
    words: 'apr_… --note "Ada asked Grace"',
    prints: 'apr_… is approved: 900 USDC to G…',
    json: '{"id":"apr_…","object":"approval","status":"approved","decided_by":"operator","note":"Ada asked Grace",…}',
  },
  run: (line, installation) => decide(line, installation, 'approve'),
}

export const approvalReject: Command = {
  name: 'approval reject',
  summary: 'Has a refund or a payout fail that waits for an approval.',
  explanation: 'The money is available again, and a payment may be refunded again.',
  argument: argument(),
  options,
  needsSoundLog: true,
  example: {
    words: 'apr_… --note "nobody knows it"',
    prints: 'apr_… is rejected: 900 USDC to G…',
    json: '{"id":"apr_…","object":"approval","status":"rejected","decided_by":"operator","note":"nobody knows it",…}',
  },
  run: (line, installation) => decide(line, installation, 'reject'),
}

const decide = async (
  line: ParsedLine,
  installation: Installation,
  decision: 'approve' | 'reject',
): Promise<E.Either<CommandError, CommandResult>> => {
  const note = line.option('note')
  if (note !== null && !isPlainText(note, longestNote))
    return E.left(usageError(`--note takes 1 to ${longestNote} characters, without control characters.`))
  return forMerchant(line, installation, async ({ approvals }, context) => {
    const decided = await approvals[decision](context, line.required('approval_id'), note)()
    return E.isLeft(decided) ? decided : E.right(resultOf(decided.right))
  })
}

const resultOf = (approval: ApprovalResource): CommandResult => ({
  status: 0,
  json: approval,
  text: printable(`${approval.id} is ${approval.status}: ${approval.amount} to ${approval.destination}`),
})
