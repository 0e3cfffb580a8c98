import { readFile } from 'node:fs/promises'
import type { EvidenceProblem, VerifiedAnchor, VerifiedEvidence } from '@quittance/billing/evidence'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandResult, option, type ParsedLine } from '../command.ts'
import { type CommandError, messageOf, refused, usageError } from '../command-error.ts'
import type { Installation } from '../installation.ts'
import { counted, printable } from '../printing.ts'
import { askLedger, type LedgerAnswer } from './ask-ledgers.ts'
import { wordsOf } from './evidence-problems.ts'

export const witnessesOption = option(
  '--witnesses <vkeys>',
  'Of evidence: keys of witnesses, separated by commas; all must have cosigned.',
)

/** Verifies evidence that is in a file: offline, but for its anchors where their ledgers are to be asked. */
export const verifyFileOf = async (
  path: string,
  line: ParsedLine,
  installation: Pick<Installation, 'ledgerOf'>,
): Promise<E.Either<CommandError, CommandResult>> => {
  // Loaded only here: the command that proves the log needs none of it.
  const { policyOf, verifyEvidence } = await import('@quittance/billing/evidence')
  const key = line.option('key')
  if (key === null) return E.left(usageError('Evidence proves something by a key of its log: --key <vkey>.'))
  const witnesses = line.option('witnesses')?.split(',') ?? []
  const policy = policyOf([key], witnesses, witnesses.length)
  if (E.isLeft(policy)) return E.left(usageError(printable(`This is no verifier key: ${policy.left.key}`)))
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    return E.left(refused('file_unreadable', printable(`The evidence cannot be read (${messageOf(cause)}).`)))
  }
  // What is no UTF-8 is read as other letters, so that it is not the text of what it holds.
  const verified = verifyEvidence(bytes.toString(), policy.right)
  if (E.isLeft(verified)) return E.right(refuted(verified.left))
  const anchors: Array<AskedAnchor> = []
  for (const anchor of verified.right.anchors)
    anchors.push({ anchor, answer: line.isSet('anchors') ? await askLedger(anchor, installation) : null })
  return E.right(proven(verified.right, anchors))
}

/** `answer`: null where its ledger was not asked. */
type AskedAnchor = { readonly anchor: VerifiedAnchor; readonly answer: LedgerAnswer | null }

const refuted = (problems: ReadonlyArray<EvidenceProblem>): CommandResult => {
  const words = problems.map((problem) => printable(wordsOf(problem)))
  return {
    status: 1,
    json: { ok: false, problems: words },
    text: [`not ok: ${counted(problems.length, 'problem')}`, ...words].join('\n'),
  }
}

const timeOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()

const sentenceOf = ({ anchor: { logSize, transaction_hash }, answer }: AskedAnchor): string => {
  const transaction = `transaction ${transaction_hash}`
  const checkpoint = `names the checkpoint of ${counted(Number(logSize), 'event')}`
  switch (answer?._tag) {
    case undefined:
      return `${transaction} ${checkpoint}, if its ledger holds it`
    case 'holds_it':
      return `${transaction} ${checkpoint}, in ledger ${answer.ledger}, which closed at ${new Date(answer.closedAt).toISOString()}`
    case 'problem':
      return `${transaction}, which ${checkpoint}, ${answer.problem}`
    case 'not_checked':
      return `not checked: ${transaction}, which ${checkpoint}: ${answer.why}`
  }
}

const anchorJson = ({ anchor, answer }: AskedAnchor) => ({
  log_events: Number(anchor.logSize),
  network_passphrase: anchor.network_passphrase,
  transaction_hash: anchor.transaction_hash,
  ledger: answer?._tag === 'holds_it' ? answer.ledger : null,
  closed_at: answer?._tag === 'holds_it' ? new Date(answer.closedAt).toISOString() : null,
})

const proven = (
  { about, origin, logSize, streams, events, withheld, cosigned }: VerifiedEvidence,
  anchors: ReadonlyArray<AskedAnchor>,
): CommandResult => {
  const problems = anchors.filter(({ answer }) => answer?._tag === 'problem').map(sentenceOf)
  const notChecked = anchors.filter(({ answer }) => answer?._tag === 'not_checked').map(sentenceOf)
  const ok = problems.length === 0
  const verdict = `${counted(events, 'event')} in ${counted(streams, 'stream')} about the ${about.kind} ${about.id}, ${withheld} withheld`
  return {
    status: ok ? 0 : 1,
    json: {
      ok,
      about,
      log: origin,
      log_events: Number(logSize),
      streams,
      events,
      withheld,
      cosigned: cosigned.map(({ size, witness, at }) => ({ log_events: Number(size), witness, at: timeOf(at) })),
      anchors: anchors.map(anchorJson),
      problems,
      not_checked: notChecked,
    },
    text: [
      `${ok ? 'ok' : 'not ok'}: ${verdict}`,
      `log ${origin}, of ${counted(Number(logSize), 'event')}`,
      ...cosigned.map(
        ({ size, witness, at }) => `cosigned by ${witness} at ${timeOf(at)}, of ${counted(Number(size), 'event')}`,
      ),
      ...anchors.map(sentenceOf),
    ]
      .map(printable)
      .join('\n'),
  }
}
