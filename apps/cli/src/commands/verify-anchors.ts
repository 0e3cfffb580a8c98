import { type Anchor, type AnchorOnLedger, anchorsInLog, compareLog, compareWithLedger } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { isStoreFailure, type Problem } from '@quittance/event-store/sqlite'
import { type Checkpoint, parseCheckpoint } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { messageOf } from '../command-error.ts'
import type { EventLog, Installation } from '../installation.ts'
import { openSource, withClosers } from './copy-logs.ts'
import { withStoredLeaves } from './stored-leaves.ts'
import { problemOf } from './verify-against.ts'

/** How many anchors stand on the ledger as the log says, what does not, and what could not be looked at. */
export type VerifiedAnchors = {
  readonly confirmed: number
  readonly problems: ReadonlyArray<Problem>
  readonly notChecked: ReadonlyArray<string>
}

const about = (problem: string): Problem => ({ stream: null, revision: null, problem })

/**
 * Compares every anchor that a log has with the ledger, and the log with the checkpoints that stand there. A log or ledger that
 * cannot be read is no error.
 */
export const verifyAnchors = async (log: EventLog, installation: Installation): Promise<VerifiedAnchors> => {
  try {
    const anchors = await readAnchors(log)
    if (E.isLeft(anchors)) return unreadable(anchors.left)
    const compared = await Promise.all(
      environments.map((environment) =>
        onLedger(
          anchors.right.filter((each) => each.environment === environment),
          environment,
          installation,
        ),
      ),
    )
    const differing = await rootProblems(log, anchors.right)
    return {
      confirmed: compared.reduce((sum, { confirmed }) => sum + confirmed, 0),
      problems: [...compared.flatMap(({ problems }) => problems), ...differing],
      notChecked: compared.flatMap(({ notChecked }) => notChecked),
    }
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    return unreadable(messageOf(cause))
  }
}

const environments: ReadonlyArray<Environment> = ['testnet', 'mainnet']

const unreadable = (why: string): VerifiedAnchors => ({
  confirmed: 0,
  problems: [about(`its anchors cannot be read: ${why}`)],
  notChecked: [],
})

const readAnchors = (log: EventLog): Promise<E.Either<string, ReadonlyArray<Anchor>>> =>
  withClosers(async (closers) => {
    const source = await openSource(log, closers)
    return E.isLeft(source) ? E.left(source.left.error) : E.right(await anchorsInLog(source.right.log))
  })

const checkpointIn = ({ checkpoint }: Anchor): ReadonlyArray<Checkpoint> => {
  const parsed = parseCheckpoint(checkpoint)
  return E.isLeft(parsed) ? [] : [parsed.right]
}

/** A log that was begun under another name does not continue what stands there under earlier ones. */
const rootProblems = async (log: EventLog, anchors: ReadonlyArray<Anchor>): Promise<ReadonlyArray<Problem>> => {
  const all = anchors.filter(({ standing }) => standing._tag === 'anchored').flatMap(checkpointIn)
  const own = all.filter(({ origin }) => origin === all.at(-1)?.origin)
  if (own.length === 0) return []
  return (await withStoredLeaves(log, ({ read, tiles }) => compareLog(read, own, tiles))).map(problemOf)
}

const onLedger = async (
  anchors: ReadonlyArray<Anchor>,
  environment: Environment,
  { ledgerOf }: Installation,
): Promise<VerifiedAnchors> => {
  const problems: Array<Problem> = []
  const notChecked: Array<string> = []
  let confirmed = 0
  const gateway = anchors.length === 0 ? null : await ledgerOf(environment)
  if (gateway === null) return { confirmed, problems, notChecked }
  if (E.isLeft(gateway)) {
    const why = `the ${environment} (${gateway.left.error})`
    return { confirmed, problems, notChecked: [`what stands on ${why}`] }
  }
  for (const anchor of anchors) {
    const compared = await compareWithLedger(gateway.right, anchor)
    if (E.isLeft(compared)) notChecked.push(`${nameOf(anchor)}: no node answers (${compared.left.cause})`)
    else {
      const { problem, unseen } = said(compared.right)
      if (problem !== null) problems.push(about(`${nameOf(anchor)} ${problem}`))
      if (unseen !== null) notChecked.push(`${nameOf(anchor)}: ${unseen}`)
      if (compared.right._tag === 'confirmed') confirmed += 1
    }
  }
  return { confirmed, problems, notChecked }
}

const nameOf = (anchor: Anchor): string => {
  const [checkpoint] = checkpointIn(anchor)
  const { environment, standing } = anchor
  const where = standing._tag === 'anchored' ? ` in ledger ${standing.ledger}` : ''
  return `the anchor of ${checkpoint?.size ?? 'no'} events on the ${environment}${where}`
}

const said = (found: AnchorOnLedger): { readonly problem: string | null; readonly unseen: string | null } => {
  const problem = (text: string) => ({ problem: text, unseen: null })
  const unseen = (text: string) => ({ problem: null, unseen: text })
  switch (found._tag) {
    case 'confirmed':
      return { problem: null, unseen: null }
    case 'not_anchored':
      return unseen('no ledger holds it yet')
    case 'not_held':
      return unseen('no node holds that ledger any more')
    case 'another_transaction':
      return problem('names a transaction whose bytes are not those of the log')
    case 'another_hash':
      return problem('carries the hash of something else')
    case 'another_ledger':
      return problem(`stands in ledger ${found.ledger} in truth`)
    case 'failed':
      return problem('failed there')
    case 'not_on_ledger':
      return problem('does not stand there')
  }
}
