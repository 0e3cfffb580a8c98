import type { Billing } from '@quittance/billing'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import QRCode from 'qrcode'
import { type Answer, table } from '../answer.ts'

type Shown =
  ReturnType<Billing['settlementAccounts']['show']> extends TE.TaskEither<unknown, infer Resource> ? Resource : never

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

/**
 * A settlement account as `GET /settlement` shows it; for people with a QR code, where lumens are missing. On a terminal that
 * code is black on white, whatever the theme.
 */
export const settlementAnswer = async (shown: Shown, isOnTerminal: boolean): Promise<Answer> => {
  const { address, assets, funding, missing, problems } = shown
  const facts = table([
    ['environment', shown.environment],
    ['network', shown.network_passphrase],
    ['address', address ?? 'none'],
    ['exists', yesOrNo(shown.exists)],
    ['balance', `${shown.balance} XLM`],
    ['reserve', `${shown.reserve} XLM`],
    ['missing', `${missing} XLM`],
    ['ready', yesOrNo(shown.is_ready)],
  ])
  const trustlines = table([
    ['ASSET', 'TRUSTLINE', 'BALANCE', 'DEFAULT'],
    ...assets.map((each) => [each.asset_id, each.trustline, each.balance, yesOrNo(each.is_default)]),
  ])
  const code = funding.sep7_uri === null || missing === '0' ? [] : await fundingCode(funding.sep7_uri, isOnTerminal)
  const messages = problems.length === 0 ? [] : [problems.map(({ message }) => message).join('\n')]
  const next = shown.next_step === null ? 'Nothing is left to do.' : `Next: ${shown.next_step}`
  return { status: 0, json: shown, text: [facts, trustlines, ...code, ...messages, next].join('\n\n') }
}

/** The request as a wallet's camera reads it, and as a link. Low correction: the link is long, and a screen is clean. */
const fundingCode = async (uri: string, isOnTerminal: boolean): Promise<ReadonlyArray<string>> => {
  const plain = await QRCode.toString(uri, { type: 'utf8', errorCorrectionLevel: 'L' })
  return [
    isOnTerminal ? plain.split('\n').map(blackOnWhite).join('\n') : plain,
    `Fund it with a wallet that reads this code, or opens this link:\n${uri}`,
  ]
}

/** Of the 256 colours those that no theme changes: cameras do not read a code whose squares are the bright ones. */
const blackOnWhite = (line: string): string => (line === '' ? line : `\u001b[38;5;16;48;5;231m${line}\u001b[0m`)
