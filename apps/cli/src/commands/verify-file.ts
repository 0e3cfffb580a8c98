import { readFile } from 'node:fs/promises'
import type { EvidenceProblem, VerifiedEvidence } from '@quittance/billing/evidence'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandResult, option, type ParsedLine } from '../command.ts'
import { type CommandError, messageOf, refused, usageError } from '../command-error.ts'
import { counted, printable } from '../printing.ts'
import { wordsOf } from './evidence-problems.ts'

export const witnessesOption = option(
  '--witnesses <vkeys>',
  'Of evidence: keys of witnesses, separated by commas; all must have cosigned.',
)

/** Verifies evidence that is in a file, offline. */
export const verifyFileOf = async (path: string, line: ParsedLine): Promise<E.Either<CommandError, CommandResult>> => {
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
  return E.right(E.isRight(verified) ? proven(verified.right) : refuted(verified.left))
}

const refuted = (problems: ReadonlyArray<EvidenceProblem>): CommandResult => {
  const words = problems.map((problem) => printable(wordsOf(problem)))
  return {
    status: 1,
    json: { ok: false, problems: words },
    text: [`not ok: ${counted(problems.length, 'problem')}`, ...words].join('\n'),
  }
}

const timeOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()

const proven = ({
  about,
  origin,
  logSize,
  streams,
  events,
  withheld,
  cosigned,
  anchors,
}: VerifiedEvidence): CommandResult => ({
  status: 0,
  json: {
    ok: true,
    about,
    log: origin,
    log_events: Number(logSize),
    streams,
    events,
    withheld,
    cosigned: cosigned.map(({ size, witness, at }) => ({ log_events: Number(size), witness, at: timeOf(at) })),
    anchors,
  },
  text: [
    `ok: ${counted(events, 'event')} in ${counted(streams, 'stream')} about the ${about.kind} ${about.id}, ${withheld} withheld`,
    `log ${origin}, of ${counted(Number(logSize), 'event')}`,
    ...cosigned.map(
      ({ size, witness, at }) => `cosigned by ${witness} at ${timeOf(at)}, of ${counted(Number(size), 'event')}`,
    ),
    ...anchors.map((anchor) => `names a checkpoint, if the ledger holds it: transaction ${anchor.transaction_hash}`),
  ]
    .map(printable)
    .join('\n'),
})
