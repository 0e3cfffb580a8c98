import type { Billing } from '@quittance/billing'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import QRCode from 'qrcode'
import type { CommandResult } from '../command.ts'
import { table } from '../printing.ts'

type Settlement =
  ReturnType<Billing['settlementAccounts']['show']> extends TE.TaskEither<unknown, infer Resource> ? Resource : never

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

/**
 * A settlement account as in `GET /settlement`. The text has a QR code if lumens are missing, which is black on white on
 * every terminal.
 */
export const settlementResult = async (settlement: Settlement, isOnTerminal: boolean): Promise<CommandResult> => {
  const { address, assets, funding, missing, problems } = settlement
  const facts = table([
    ['environment', settlement.environment],
    ['network', settlement.network_passphrase],
    ['address', address ?? 'none'],
    ['exists', yesOrNo(settlement.exists)],
    ['balance', `${settlement.balance} XLM`],
    ['reserve', `${settlement.reserve} XLM`],
    ['missing', `${missing} XLM`],
    ['ready', yesOrNo(settlement.is_ready)],
  ])
  const trustlines = table([
    ['ASSET', 'TRUSTLINE', 'BALANCE', 'DEFAULT'],
    ...assets.map((each) => [each.asset_id, each.trustline, each.balance, yesOrNo(each.is_default)]),
  ])
  const code = funding.sep7_uri === null || missing === '0' ? [] : await fundingCode(funding.sep7_uri, isOnTerminal)
  const messages = problems.length === 0 ? [] : [problems.map(({ message }) => message).join('\n')]
  const next = settlement.next_step === null ? 'Nothing is left to do.' : `Next: ${settlement.next_step}`
  return { status: 0, json: settlement, text: [facts, trustlines, ...code, ...messages, next].join('\n\n') }
}

/** The request as a QR code and as a link. Low error correction suffices for a clean screen, and the link is long. */
const fundingCode = async (uri: string, isOnTerminal: boolean): Promise<ReadonlyArray<string>> => {
  const plain = await QRCode.toString(uri, { type: 'utf8', errorCorrectionLevel: 'L' })
  return [
    isOnTerminal ? plain.split('\n').map(blackOnWhite).join('\n') : plain,
    `Fund it with a wallet that reads this code, or opens this link:\n${uri}`,
  ]
}

/** Uses colours that no theme changes: cameras cannot read an inverted code. */
const blackOnWhite = (line: string): string => (line === '' ? line : `\u001b[38;5;16;48;5;231m${line}\u001b[0m`)
