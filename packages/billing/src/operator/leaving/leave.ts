import { existsSync } from 'node:fs'
import {
  asText,
  type Departure,
  type IngestedThrough,
  Merchant,
  type MerchantRejection,
  type Text,
  unixMs,
} from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { deploymentTime } from '../../kernel/clock.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import type { Services } from '../../services/services.ts'
import { accountsOf } from './accounts-of.ts'
import { type NotThisMerchants, refusedIn } from './checked.ts'
import { compose } from './compose.ts'
import { type Beginning, type End, Line, lineCounter } from './lines.ts'
import { destinationNamed, destinationOf, writeSealed } from './sealed-file.ts'
import { type Hindrance, type LeavingServices, underWay } from './under-way.ts'

export type LeaveRequest = {
  readonly merchantId: string
  /** The name of the installation that the export is for. */
  readonly to: string
  readonly path: string
  readonly by: Text
  readonly reason: Text
}

type LeftElsewhere = Extract<MerchantRejection, { readonly _tag: 'MerchantLeftElsewhere' }>

/** Why a merchant cannot leave. */
export type LeaveFailure =
  | ExecuteFailure
  | LeftElsewhere
  | { readonly _tag: 'MerchantNotFound' }
  /** The text names no installation: it was cut off or mistyped. */
  | { readonly _tag: 'DestinationUnknown' }
  | { readonly _tag: 'DestinationIsHere' }
  | NotThisMerchants
  | { readonly _tag: 'NotQuiet'; readonly hindrances: ReadonlyArray<Hindrance> }
  | { readonly _tag: 'LogNotInFile' }
  | { readonly _tag: 'FileExists'; readonly path: string }
  /** Another signer than the vault holds keys of the merchant, and gives no key away: accounts can leave by a rotation alone. */
  | { readonly _tag: 'KeysElsewhere'; readonly keys: ReadonlyArray<string> }

/** What was exported. `isNew`: whether the merchant left by this call, which can be repeated for the same destination. */
export type Left = { readonly isNew: boolean; readonly beginning: Beginning; readonly end: End }

export type LeaveServices = LeavingServices & Pick<Services, 'left' | 'logFile' | 'cursors' | 'clock'>

/** What the secret of an installation that others export to is for. */
export const importPurpose = 'merchant import'

/**
 * Ends a merchant here, for good, and writes all that it is into a file that only the destination can read. The merchant has left
 * by the log, and by a file that no backup holds, before the export has its name. No other process may have the installation
 * open. After a crash, the same call goes on.
 */
export const leave = async (services: LeaveServices, request: LeaveRequest): Promise<E.Either<LeaveFailure, Left>> => {
  const { vault, left, logFile } = services
  const { merchantId, to, path } = request
  if (logFile === null) return E.left({ _tag: 'LogNotInFile' })
  const destination = destinationNamed(to)
  if (destination === null) return E.left({ _tag: 'DestinationUnknown' })
  if (to === destinationOf(await vault.carriage.own(importPurpose)).name) return E.left({ _tag: 'DestinationIsHere' })
  if (existsSync(path)) return E.left({ _tag: 'FileExists', path })
  const keys = (await accountsOf(services, merchantId)).flatMap((each) => each.keys)
  const elsewhere = await filterInTurn(keys, async (key) => !(await vault.carriage.hasSeed(key)))
  if (elsewhere.length > 0) return E.left({ _tag: 'KeysElsewhere', keys: elsewhere })

  const departed = await depart(services, logFile, request)
  if (E.isLeft(departed)) return departed
  const { departure, isNew } = departed.right
  left.add({ merchantId: asText(merchantId), to: departure.to, at: departure.at })

  const composed = await compose(services, logFile, merchantId, departure)
  const counter = lineCounter()
  const texts = async function* () {
    for await (const line of composed.lines()) {
      const text = JSON.stringify(Line.encode(line))
      counter.take(line, text)
      yield text
    }
    yield JSON.stringify(counter.end())
  }
  await writeSealed(path, destination, texts())
  return E.right({ isNew, beginning: composed.beginning, end: counter.end() })
}

type Departed = { readonly departure: Departure; readonly isNew: boolean }

/** Records that the merchant has left, unless it has. */
const depart = async (
  services: LeaveServices,
  sql: SqlDatabase,
  { merchantId, to, by, reason }: LeaveRequest,
): Promise<E.Either<LeaveFailure, Departed>> => {
  const { store, left, clock } = services
  const merchant = await stateOf(store)(Merchant, merchantId)
  if (E.isLeft(merchant)) return merchant
  const { state, events } = merchant.right
  if (state.status === 'absent') return E.left({ _tag: 'MerchantNotFound' })
  const wanted = asText(to)
  const elsewhere = (other: string): E.Either<LeftElsewhere, never> =>
    E.left({ _tag: 'MerchantLeftElsewhere', to: asText(other) })
  if (state.left !== null)
    return state.left.to === wanted ? E.right({ departure: state.left, isNew: false }) : elsewhere(state.left.to)
  // A log that was put back from before the departure is older than what the destination has.
  const before = left.leftFor(merchantId)
  if (before !== null) return elsewhere(before)

  const hindrances = await underWay(services, merchantId)
  if (E.isLeft(hindrances)) return hindrances
  if (hindrances.right.length > 0) return E.left({ _tag: 'NotQuiet', hindrances: hindrances.right })
  const through = await ingestedFor(services, merchantId)
  if (E.isLeft(through)) return through
  const commandId = derivedCommandId(`${merchantId} ${events.length}`, `leave for ${to}`)
  const at = deploymentTime(clock)
  const environment = events[0]?.metadata.environment ?? 'testnet'
  const named = { correlationId: commandId, causationId: null, actor: 'operator' }
  const departure = { to: wanted, by, reason, at, through: through.right }
  // Whoever has left cannot come back: what no destination takes is found before.
  const unfit = await refusedIn((await compose(services, sql, merchantId, departure)).lines())
  if (unfit !== null) return E.left(unfit)
  const recorded = await executeExpecting(store)(
    ['MerchantLeftElsewhere'],
    Merchant,
    merchantId,
    { merchantId, environment, commandId, at, ...named },
    Merchant.decider.decide({ type: 'LeaveMerchant', ...departure }),
  )
  return E.isLeft(recorded) ? recorded : E.right({ departure, isNew: true })
}

/** How far the ledgers of the merchant's accounts are ingested: the destination goes on behind. */
const ingestedFor = async (
  { cursors, readModels }: Pick<Services, 'cursors' | 'readModels'>,
  merchantId: string,
): Promise<E.Either<ExecuteFailure, ReadonlyArray<IngestedThrough>>> => {
  const watched = (await readModels.merchants.withId(merchantId))?.row.watched ?? []
  const through: Array<IngestedThrough> = []
  for (const environment of ['testnet', 'mainnet'] as const) {
    const first = watched.find((each) => each.environment === environment)
    if (first === undefined) continue
    const cursor = await cursors.of(environment).load()()
    if (E.isLeft(cursor)) return cursor
    // Nothing was ever ingested: it begins behind the set-up of the account.
    const { sequence, closedAt } = cursor.right ?? { sequence: first.setUpThrough, closedAt: unixMs(0) }
    through.push({ environment, ledger: sequence, closedAt })
  }
  return E.right(through)
}
